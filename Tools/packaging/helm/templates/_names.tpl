{{- define "openrealm.labels" -}}
app.kubernetes.io/name: openrealm
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "openrealm.nodes" -}}
{{ .Release.Name }}-nodes
{{- end }}
{{- define "openrealm.contained" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

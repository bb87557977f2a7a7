{{- define "openrealm.labels" -}}
app.kubernetes.io/name: openrealm
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "openrealm.nodes" -}}
{{ .Release.Name }}-nodes
{{- end }}

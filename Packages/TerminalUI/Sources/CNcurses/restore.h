// How the terminal is given back from inside a signal handler, where ncurses may not be called.
#ifndef OPENREALM_RESTORE_H
#define OPENREALM_RESTORE_H

void restore_remember_modes(void);
void restore_remember_sequences(void);
void restore_forget(void);
void restore_now(void);

#endif

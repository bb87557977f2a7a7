#define _GNU_SOURCE 1
#define NCURSES_WIDECHAR 1

#include "restore.h"

#include <curses.h>
#include <signal.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

static struct termios modes;
static char sequences[256];
static volatile sig_atomic_t length = 0;
static volatile sig_atomic_t is_armed = 0;

void restore_remember_modes(void) { tcgetattr(STDIN_FILENO, &modes); }

// Terminal descriptions may contain pauses such as $<5>; they are left out.
static void append(const char *text) {
  if (!text || text == (const char *)-1) return;
  size_t end = (size_t)length;
  while (*text && end + 1 < sizeof sequences) {
    if (text[0] == '$' && text[1] == '<') {
      while (*text && *text != '>') text++;
      if (*text) text++;
    } else {
      sequences[end++] = *text++;
    }
  }
  length = (sig_atomic_t)end;
}

void restore_remember_sequences(void) {
  length = 0;
  append("\033[?1006l\033[?1000l\033[?2004l");
  append(exit_attribute_mode);
  append(cursor_normal);
  append(keypad_local);
  append(exit_ca_mode);
  is_armed = 1;
}

void restore_forget(void) { is_armed = 0; }

void restore_now(void) {
  if (!is_armed) return;
  is_armed = 0;
  ssize_t ignored = write(STDOUT_FILENO, sequences, (size_t)length);
  (void)ignored;
  tcsetattr(STDIN_FILENO, TCSANOW, &modes);
}

#define _GNU_SOURCE 1
#define NCURSES_WIDECHAR 1
#define _XOPEN_SOURCE_EXTENDED 1

#include "CNcurses.h"

#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "restore.h"

static SCREEN *screen = NULL;
static int mouse_is_on = 0;

static void use_utf8(void) {
  static const char *const fallbacks[] = {"C.UTF-8", "C.utf8", "en_US.UTF-8"};
  setlocale(LC_CTYPE, "");
  for (size_t i = 0; i < 3 && strcmp(nl_langinfo(CODESET), "UTF-8") != 0; i++) {
    setlocale(LC_CTYPE, fallbacks[i]);
  }
}

// SGR mouse reports (1000, 1006) and bracketed paste (2004). Terminals ignore modes that they lack.
static void switch_modes(int on) {
  if (mouse_is_on) fputs(on ? "\033[?1000h\033[?1006h" : "\033[?1006l\033[?1000l", stdout);
  fputs(on ? "\033[?2004h" : "\033[?2004l", stdout);
  fflush(stdout);
}

int terminal_open(int wants_mouse) {
  if (screen) return TERMINAL_OPENED;
  if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) return TERMINAL_NOT_A_TERMINAL;
  use_utf8();
  restore_remember_modes();
  screen = newterm(NULL, stdout, stdin);
  if (!screen) return TERMINAL_UNKNOWN_TYPE;
  set_term(screen);
  raw();
  noecho();
  nonl();
  intrflush(stdscr, FALSE);
  keypad(stdscr, TRUE);
  if (has_colors()) {
    start_color();
    use_default_colors();
  }
  mouse_is_on = wants_mouse;
  restore_remember_sequences();
  // keypad() takes effect at the first read; reading is ours, so send its sequence here.
  if (keypad_xmit) putp(keypad_xmit);
  switch_modes(1);
  clear();
  refresh();
  return TERMINAL_OPENED;
}

void terminal_close(void) {
  if (!screen) return;
  if (keypad_local) putp(keypad_local);
  switch_modes(0);
  endwin();
  fflush(stdout);
  delscreen(screen);
  screen = NULL;
  restore_forget();
}

void terminal_suspend(void) {
  if (!screen) return;
  if (keypad_local) putp(keypad_local);
  switch_modes(0);
  endwin();
}

void terminal_resume(void) {
  if (!screen) return;
  refresh();
  if (keypad_xmit) putp(keypad_xmit);
  switch_modes(1);
}

void terminal_size(int *height, int *width) {
  struct winsize size;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
    *height = size.ws_row;
    *width = size.ws_col;
  } else {
    *height = 24;
    *width = 80;
  }
}

void terminal_resize(int height, int width) {
  if (!screen) return;
  resizeterm(height, width);
  clearok(curscr, TRUE);
}

static int pair_of(int foreground, int background, attr_t *attributes) {
  if (!has_colors() || (foreground < 0 && background < 0)) return 0;
  if (foreground >= COLORS) {
    *attributes |= foreground >= 8 ? A_BOLD : 0;
    foreground %= 8;
  }
  if (background >= COLORS) background %= 8;
  int pair = alloc_pair(foreground, background);
  return pair < 0 ? 0 : pair;
}

void terminal_put(int row, int column, const uint32_t *scalars, int count, int width,
                  uint32_t attributes, int foreground, int background) {
  if (!screen) return;
  attr_t drawn = A_NORMAL;
  if (attributes & TERMINAL_BOLD) drawn |= A_BOLD;
  if (attributes & TERMINAL_DIM) drawn |= A_DIM;
  if (attributes & TERMINAL_UNDERLINE) drawn |= A_UNDERLINE;
  if (attributes & TERMINAL_REVERSE) drawn |= A_REVERSE;
  if (attributes & TERMINAL_ITALIC) drawn |= A_ITALIC;
  int pair = pair_of(foreground, background, &drawn);
  attr_set(drawn, (short)0, &pair);

  wchar_t text[9];
  int length = 0, measured = 0;
  for (; length < count && length < 8; length++) {
    text[length] = (wchar_t)scalars[length];
    int one = wcwidth(text[length]);
    measured += one < 0 ? 99 : one;
  }
  if (measured != width) {
    for (length = 0; length < width && length < 8; length++) text[length] = L'?';
  }
  mvaddnwstr(row, column, text, length);
}

void terminal_cursor(int row, int column, int visible) {
  if (!screen) return;
  curs_set(visible ? 1 : 0);
  if (visible) move(row, column);
}

void terminal_flush(int everything) {
  if (!screen) return;
  if (everything) clearok(curscr, TRUE);
  refresh();
}

void terminal_bell(void) {
  if (screen) beep();
}

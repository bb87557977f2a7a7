// The part of ncursesw that TerminalUI uses, behind functions that Swift can import. ncurses itself is
// full of macros, which Swift cannot. One terminal per process, one thread at a time.
#ifndef OPENREALM_CNCURSES_H
#define OPENREALM_CNCURSES_H

#include <stdint.h>

enum {
  TERMINAL_BOLD = 1,
  TERMINAL_DIM = 2,
  TERMINAL_UNDERLINE = 4,
  TERMINAL_REVERSE = 8,
  TERMINAL_ITALIC = 16,
};

enum {
  TERMINAL_OPENED = 0,
  TERMINAL_NOT_A_TERMINAL = -1,
  TERMINAL_UNKNOWN_TYPE = -2,
};

/// Takes over the terminal on standard input and output. Answers one of the codes above.
int terminal_open(int wants_mouse);

/// Gives the terminal back as it was. Does nothing if it is not open.
void terminal_close(void);

/// Gives the terminal back for a while, and takes it again.
void terminal_suspend(void);
void terminal_resume(void);

/// The size that the kernel knows; 24 by 80 if it knows none.
void terminal_size(int *height, int *width);

/// Tells ncurses a new size.
void terminal_resize(int height, int width);

/// Draws one character of `width` columns, given as scalars. When the C library disagrees about the
/// width, question marks are drawn instead, so that the rest of the line stays in place.
/// Colours are indexes of the palette, or -1 for the default of the terminal.
void terminal_put(int row, int column, const uint32_t *scalars, int count, int width,
                  uint32_t attributes, int foreground, int background);

/// Puts the cursor somewhere, or hides it.
void terminal_cursor(int row, int column, int visible);

/// Sends what changed to the terminal; `everything` also what did not.
void terminal_flush(int everything);

/// Rings the bell.
void terminal_bell(void);

/// Makes a pipe whose ends neither block nor survive an exec. Answers 0, or -1.
int terminal_pipe(int *read_end, int *write_end);

/// From now on, SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP and SIGCONT write their number, one byte, to
/// a pipe; signals of a crash restore the terminal before they take their usual course.
void terminal_watch_signals(int write_end);

/// Puts the previous handlers back.
void terminal_unwatch_signals(void);

/// Stops this process as Ctrl-Z does; returns when it goes on.
void terminal_stop_process(void);

#endif

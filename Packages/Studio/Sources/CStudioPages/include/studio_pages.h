#ifndef STUDIO_PAGES_H
#define STUDIO_PAGES_H
#include <stddef.h>

/* One file of the pages, as it was when this was compiled. */
struct studio_page {
  const char *_Nonnull path;
  const unsigned char *_Nonnull bytes;
  size_t size;
};

/* All files, in no order. */
extern const struct studio_page studio_pages[];
extern const size_t studio_page_count;

/* The file at an index below the count. */
static inline struct studio_page studio_page_at(size_t index) { return studio_pages[index]; }

#endif

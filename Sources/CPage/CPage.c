#include "CPage.h"
#include <stddef.h>

/* C23's, which clang knows in every standard. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char html[] = {
#embed "page/page.html"
};
static const unsigned char style[] = {
#embed "page/page.css"
};
static const unsigned char main_script[] = {
#embed "page/main.js"
};
static const unsigned char server_script[] = {
#embed "page/server.js"
};
static const unsigned char parts_script[] = {
#embed "page/parts.js"
};
static const unsigned char door_script[] = {
#embed "page/door.js"
};
static const unsigned char shared_script[] = {
#embed "page/shared.js"
};
static const unsigned char screens_script[] = {
#embed "page/screens.js"
};
static const unsigned char list_script[] = {
#embed "page/list.js"
};
static const unsigned char calendar_script[] = {
#embed "page/calendar.js"
};
static const unsigned char names_script[] = {
#embed "page/names.js"
};
static const unsigned char timeline_script[] = {
#embed "page/timeline.js"
};
static const unsigned char entry_script[] = {
#embed "page/entry.js"
};
static const unsigned char write_script[] = {
#embed "page/write.js"
};
static const unsigned char care_script[] = {
#embed "page/care.js"
};
static const unsigned char settings_script[] = {
#embed "page/settings.js"
};
static const unsigned char photos_script[] = {
#embed "page/photos.js"
};

static const struct {
  const char *name;
  const unsigned char *bytes;
  long size;
} files[] = {
#define FILE(name, bytes) {name, bytes, (long)sizeof bytes}
  FILE("/", html), FILE("/page.css", style), FILE("/main.js", main_script),
  FILE("/server.js", server_script), FILE("/parts.js", parts_script), FILE("/door.js", door_script),
  FILE("/timeline.js", timeline_script), FILE("/entry.js", entry_script),
  FILE("/write.js", write_script), FILE("/care.js", care_script),
  FILE("/settings.js", settings_script), FILE("/photos.js", photos_script),
  FILE("/shared.js", shared_script), FILE("/screens.js", screens_script),
  FILE("/list.js", list_script), FILE("/calendar.js", calendar_script),
  FILE("/names.js", names_script),
};

const char *cpage_name(long place) {
  return place < (long)(sizeof files / sizeof *files) ? files[place].name : NULL;
}

const unsigned char *cpage_bytes(long place, long *size) {
  *size = files[place].size;
  return files[place].bytes;
}

// Shows a run of tests.
const timeText = (ms) => (ms < 1000 ? ms + " ms" : (ms / 1000).toFixed(1) + " s");
const STATUSES = ["failed", "flaky", "skipped", "todo", "passed"];
const MARKS = { failed: "✗", flaky: "↻", skipped: "–", todo: "○", passed: "✓" };

function countsText(parent, counts) {
  for (const status of STATUSES)
    if (counts[status] > 0) add(parent, "span", counts[status] + " " + status, "count " + status);
}

const isBad = data.counts.failed > 0 || data.breakOff !== undefined;
const head = add(page, "header", undefined, isBad ? "failed" : "passed");
add(head, "h1", data.title);
countsText(head, data.counts);
add(head, "span", timeText(data.ms), "time");
add(page, "p", data.about, "about");
if (data.breakOff !== undefined) add(page, "p", data.breakOff, "breakOff");

const filters = add(page, "form");
filters.addEventListener("submit", (event) => event.preventDefault());
const shown = { text: "", passed: true, failed: true, flaky: true, skipped: true, todo: true };

function pre(parent, text, className) {
  return add(parent, "pre", text, className);
}

function source(parent, lines) {
  if (lines === undefined || lines.length === 0) return;
  const block = add(parent, "div", undefined, "source");
  for (const each of lines) {
    const row = add(block, "div", undefined, each.isHere ? "here" : undefined);
    add(row, "span", String(each.line), "number");
    add(row, "code", each.text);
  }
}

// What was expected, what there is, and where they differ, side by side.
function picture(parent, { path, data: bytes }) {
  add(parent, "p", path, "place");
  if (bytes === undefined) return;
  const image = add(parent, "img", undefined, "picture");
  image.alt = "expected, received, difference";
  image.src = "data:image/png;base64," + bytes;
}

function failure(parent, each) {
  const block = add(parent, "div", undefined, "failure");
  if (each.try !== undefined) add(block, "p", "try " + each.try, "place");
  pre(block, each.message, "message");
  if (each.expected !== undefined || each.received !== undefined) {
    const values = add(block, "table", undefined, "values");
    for (const name of ["expected", "received"]) {
      const row = add(values, "tr");
      add(row, "th", name);
      pre(add(row, "td"), each[name], name);
    }
  }
  for (const one of each.pictures || []) picture(block, one);
  if (each.place !== undefined) add(block, "p", each.place, "place");
  source(block, each.source);
  for (const call of each.stack) {
    const row = add(block, "p", undefined, "call");
    add(row, "span", "at " + call.name + "  " + call.place + "  ");
    add(row, "code", call.text);
  }
}

function output(parent, text) {
  if (text === undefined) return;
  add(parent, "p", "output", "place");
  pre(parent, text, "output");
}

function caseRow(parent, each) {
  const isOpen = each.status === "failed";
  const hasMore = isOpen || each.earlier !== undefined || each.output !== undefined || each.reason !== undefined;
  const box = add(parent, hasMore ? "details" : "div", undefined, "case " + each.status);
  if (isOpen) box.open = true;
  const title = add(box, hasMore ? "summary" : "div", undefined, "title");
  add(title, "span", MARKS[each.status], "mark");
  add(title, "span", each.names.join(" › "), "name");
  add(title, "span", each.place, "place");
  if (each.flaky !== undefined) add(title, "span", each.flaky, "flaky");
  add(title, "span", each.status === "skipped" || each.status === "todo" ? each.status : timeText(each.ms), "time");
  if (each.reason !== undefined) add(box, "p", each.reason, "reason");
  for (const one of each.failures || []) failure(box, one);
  if (each.earlier !== undefined) add(box, "p", "failed in earlier tries:", "place");
  for (const one of each.earlier || []) failure(box, one);
  output(box, each.output);
  return { box, status: each.status, text: (each.names.join(" › ") + " " + each.place).toLowerCase() };
}

// The cases of a file are made when it is opened first, because a page may have many thousands.
const files = [];
for (const file of data.files) {
  const box = add(page, "details", undefined, "file" + (file.counts.failed > 0 ? " failed" : ""));
  const title = add(box, "summary", undefined, "title");
  add(title, "span", file.title, "name");
  countsText(title, file.counts);
  if (file.isCut) add(title, "span", "cut off", "count skipped");
  add(title, "span", file.framework + (file.ranIn === undefined ? "" : ", " + file.ranIn), "place");
  add(title, "span", timeText(file.ms), "time");
  const entry = { file, box, rows: undefined };
  files.push(entry);
  box.addEventListener("toggle", () => fill(entry));
  if (file.counts.failed > 0) {
    fill(entry);
    box.open = true;
  }
}

function fill(entry) {
  if (entry.rows !== undefined) return;
  const { file, box } = entry;
  for (const text of file.leaked || []) add(box, "p", "left: " + text, "reason");
  entry.rows = file.cases.map((each) => caseRow(box, each));
  output(box, file.output);
  show();
}

function show() {
  const isShown = (status, text) => shown[status] && text.includes(shown.text);
  for (const { file, box, rows } of files) {
    const texts = file.cases.map((each) =>
      (file.title + " " + each.names.join(" › ") + " " + each.place).toLowerCase(),
    );
    const isKept = file.cases.map((each, index) => isShown(each.status, texts[index]));
    box.hidden = file.cases.length > 0 && !isKept.includes(true);
    if (rows !== undefined) rows.forEach((row, index) => (row.box.hidden = !isKept[index]));
  }
}

const search = add(filters, "input");
search.type = "search";
search.placeholder = "part of a name or path";
search.addEventListener("input", () => {
  shown.text = search.value.toLowerCase();
  show();
});
for (const status of STATUSES) {
  if (data.counts[status] === 0) continue;
  addCheckbox(filters, status, true, (isNow) => {
    shown[status] = isNow;
    show();
  });
}

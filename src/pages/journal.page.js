// Shows the calls and lines of a journal.
add(page, "h1", data.title);
add(page, "p", data.about);
const filters = add(page, "form");
const shown = { failed: false, changes: false, lines: true, lanes: {} };
for (const lane of data.lanes) shown.lanes[lane] = true;

const table = add(page, "table");
const heading = add(add(table, "thead"), "tr");
for (const title of ["Time", "Where", "Client", "Call", "Took", "Ended", "Again"]) add(heading, "th", title);
const body = add(table, "tbody");

const rows = data.rows.map((row) => {
  const isLine = row.kind === "line";
  const isDecision = row.code === "DENIED" || row.code === "PAUSED";
  const isBad = row.outcome === "failed" || row.outcome === "error" || row.outcome === "unknown";
  const kinds = isLine ? ["line", row.level] : [isBad ? "bad" : "", isDecision ? "decision" : ""];
  const line = add(body, "tr", undefined, kinds.filter((kind) => kind !== "").join(" "));
  add(line, "td", row.at, "time");
  add(line, "td", row.lane);
  if (isLine) {
    add(line, "td", row.body).colSpan = 5;
  } else {
    add(line, "td", row.client);
    add(line, "td", row.summary);
    add(line, "td", row.ms === undefined ? "" : row.ms + " ms", "took");
    add(line, "td", row.code === undefined ? row.outcome : row.code, "ended");
    const again = add(line, "td");
    for (const command of row.commands) add(again, "code", command);
  }
  return { row, line, isLine, isBad };
});

function show() {
  for (const { row, line, isLine, isBad } of rows)
    line.hidden =
      !shown.lanes[row.lane] ||
      (isLine ? !shown.lines : (shown.failed && !isBad) || (shown.changes && !row.changes));
}

function filter(text, isOn, change) {
  addCheckbox(filters, text, isOn, (isNow) => {
    change(isNow);
    show();
  });
}

filter("only failed and refused", false, (isOn) => (shown.failed = isOn));
filter("only changes", false, (isOn) => (shown.changes = isOn));
filter("lines of Output", true, (isOn) => (shown.lines = isOn));
for (const lane of data.lanes) filter(lane, true, (isOn) => (shown.lanes[lane] = isOn));

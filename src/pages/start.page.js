"use strict";
// Begins the program of every page. All data becomes text of elements, and never markup or an address.
const data = JSON.parse(document.getElementById("data").textContent);
const page = document.getElementById("page");

function add(parent, name, text, className) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  if (className !== undefined) element.className = className;
  parent.appendChild(element);
  return element;
}

/** A box with its text; `change` hears whether it is ticked. */
function addCheckbox(parent, text, isOn, change) {
  const label = add(parent, "label");
  const box = add(label, "input");
  box.type = "checkbox";
  box.checked = isOn;
  add(label, "span", " " + text);
  box.addEventListener("change", () => change(box.checked));
}

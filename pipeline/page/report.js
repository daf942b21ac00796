(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const systems = data.systems;
  const on = systems.map(s => s.on);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  let baseline = Math.max(0, data.baseline);

  // Numbers

  const digits = (v, n) => {
    const text = v.toFixed(n);
    return +text === 0 ? text.replace("-", "") : text;
  };
  const points = v => (v > 0 && +digits(100 * v, 1) ? "+" : "") + digits(100 * v, 1).replace("-", "−");

  // Tooltip and highlight

  const tip = $("#tip");
  function showTip(x, y, title, lines) {
    tip.replaceChildren(element("b", {}, title), ...lines.flatMap((l, i) => i ? [element("br"), l] : [l]));
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - box.width - 4)) + "px";
    tip.style.top = (y + 16 + box.height > innerHeight ? Math.max(4, y - box.height - 10) : y + 16) + "px";
  }
  const hideTip = () => { tip.hidden = true; };

  // An element of charts belongs to the systems that it names.
  const systemsOf = e => e.dataset.system.split(" ").map(Number);

  function highlight(...lit) {
    for (const plot of $$(".plot")) plot.classList.toggle("dimmed", lit.some(i => on[i]) && !plot.closest(".heat"));
    for (const e of $$(".plot g[data-system], .ranking tr[data-system]")) e.classList.toggle("lit", systemsOf(e).some(i => lit.includes(i)));
  }
  for (const e of $$(".chip, .ranking tbody tr")) {
    e.addEventListener("pointerenter", () => highlight(+e.dataset.system));
    e.addEventListener("pointerleave", () => highlight());
  }

  // Charts are drawn. Shown are those systems that are on, and the values that their elements have as "x y;text;text|".

  const drawn = $$(".plot .drawn");
  function values(chart) {
    return $$("[data-values]:not(.off)", chart).flatMap(g => g.dataset.values.split("|").filter(Boolean).map(value => {
      const [at, ...texts] = value.split(";"), [x, y] = at.split(" "), shown = systemsOf(g).filter(i => on[i]);
      const names = chart.closest("#keypoint_spread") ? g.querySelector("text").textContent : shown.map(i => systems[i].name).join(", ");
      return {g, x, y, texts, shown, name: names + (g.dataset.note ? ` (${g.dataset.note})` : "")};
    }));
  }
  const labels = chart => chart.dataset.labels.split(";");

  for (const chart of drawn) {
    const leave = () => { highlight(); hideTip(); };
    const move = event => {
      let least = 30, near = [];
      for (const v of values(chart)) {
        const {x, y} = new DOMPoint(event.clientX, event.clientY).matrixTransform(v.g.getScreenCTM().inverse());
        const d = Math.hypot(v.x && v.x - x, v.y - y);
        if (d < least - .01) [least, near] = [d, []];
        if (d < least + .01) near.push(v);
      }
      if (!near.length) return leave();
      highlight(...near.flatMap(v => v.shown));
      showTip(event.clientX, event.clientY, near.map(v => v.name).join(" = "), near[0].texts.map((t, i) => `${labels(chart)[i]}: ${t}`));
    };
    chart.addEventListener("pointermove", move);
    chart.addEventListener("pointerdown", move);
    chart.addEventListener("pointerleave", leave);
  }

  // Rows of bars move up where others are off, and all below with them.
  const heights = drawn.map(chart => chart.viewBox.baseVal.height);

  function show() {
    $(".grid").classList.toggle("crowded", on.filter(Boolean).length > data.bands);
    for (const e of $$(".plot g[data-system]")) e.classList.toggle("off", !systemsOf(e).some(i => on[i]));
    drawn.forEach((chart, i) => {
      const row = +chart.dataset.row;
      if (!row) return;
      const all = $$(".row", chart), off = all.filter(g => g.matches(".off"));
      for (const e of chart.children) {
        const up = row * (all.includes(e) ? all.slice(0, all.indexOf(e)).filter(g => off.includes(g)).length : off.length);
        e.style.transform = up ? `translateY(${-up}px)` : "";
      }
      chart.viewBox.baseVal.height = heights[i] - row * off.length;
    });
    for (const details of $$("details.more")) details.ontoggle();
    if (data.heat) drawHeat();
  }

  // The numbers of a chart as a table, for those who cannot see it and for copying.
  for (const details of $$("details.more")) {
    details.ontoggle = () => {
      $("div", details)?.remove();
      if (!details.open) return;
      const chart = $(".drawn", details.parentElement), line = (tag, cells) => element("tr", {}, ...cells.map(c => element(tag, {}, c)));
      details.append(element("div", {}, element("table", {}, element("thead", {}, line("th", ["descriptor", ...labels(chart)])),
        element("tbody", {}, ...values(chart).map(v => line("td", [v.name, ...v.texts]))))));
    };
  }

  // Heat maps are tables. They show values, or differences to the baseline.

  const heat = {differences: false, sort: -1}; // column to sort rows by; -1: names

  function drawHeat() {
    const {rows, categories, means, cells} = data.heat, {differences} = heat, figure = $("figure.heat"); // a column for each system
    const shown = systems.map((_, c) => c).filter(c => on[c]);
    const scenes = rows.map((_, r) => r).slice(means);
    const value = (r, c) => {
      if (!differences) return cells[r][c] ?? undefined;
      if (systems[c].set !== systems[baseline].set) return undefined;
      // Means of differences are over the scenes that both have.
      const shared = (r < means ? scenes.filter(s => ["all", categories[s]].includes(categories[r])) : [r]).filter(s => cells[s][c] !== null && cells[s][baseline] !== null);
      return shared.length ? shared.reduce((sum, s) => sum + cells[s][c] - cells[s][baseline], 0) / shared.length : undefined;
    };
    if (heat.sort >= 0) scenes.sort((a, b) => (value(b, heat.sort) ?? -Infinity) - (value(a, heat.sort) ?? -Infinity));
    const all = scenes.flatMap(r => shown.map(c => value(r, c))).filter(v => v !== undefined);
    // The few largest differences share the strongest colour, or all others would be pale.
    const sizes = all.map(Math.abs).sort((a, b) => a - b), most = sizes[Math.floor(.95 * (sizes.length - 1))] || 1e-9;
    const ends = [Math.min(...all), Math.max(...all)];
    const show = v => differences ? points(v) : digits(100 * v, 1);
    const cell = (v, href, name, row) => {
      if (v === undefined) return element("td", {}, element("span", {}, "–"));
      const shown = show(v), share = differences ? Math.min(1, Math.abs(v) / most) : ends[1] > ends[0] ? (v - ends[0]) / (ends[1] - ends[0]) : 0;
      const td = element("td", {class: share > .75 ? "strong" : undefined, "data-tip": `${name}\n${row}: ${shown}${differences ? " points" : " %"}`},
        element(href ? "a" : "span", {href}, shown));
      td.style.setProperty("--v", (100 * Math.min(1, share)).toFixed(0) + "%");
      if (differences) td.style.setProperty("--hue", v < 0 ? "var(--minus)" : "var(--plus)");
      return td;
    };
    const heading = c => {
      const button = element("button", {type: "button"}, c < 0 ? "scene" : $(`.chip[data-system="${c}"] span:last-child`).cloneNode(true));
      button.addEventListener("click", () => { heat.sort = c; drawHeat(); $(`th[aria-sort] button`, figure)?.focus(); });
      return element("th", {scope: "col", "aria-sort": heat.sort === c ? c < 0 ? "ascending" : "descending" : undefined}, button);
    };
    const top = element("tbody", {class: "means"}, ...rows.slice(0, means).map((name, r) =>
      element("tr", {}, element("th", {scope: "row"}, name), ...shown.map(c => cell(value(r, c), undefined, systems[c].name, name)))));
    const body = element("tbody", {}, ...scenes.map(r => {
      const href = `${data.folder}/${encodeURIComponent(rows[r])}.html`;
      return element("tr", {}, element("th", {scope: "row", title: rows[r]}, element("a", {href}, rows[r])),
        ...shown.map(c => cell(value(r, c), href + "#descriptor=" + encodeURIComponent(systems[c].name), systems[c].name, rows[r])));
    }));
    const table = element("table", {class: "cells"},
      element("thead", {}, element("tr", {}, heading(-1), ...shown.map(heading))), top, body);
    // Paper does not scroll: there, columns follow in blocks.
    const perBlock = 7, blocks = shown.length > perBlock ? Math.ceil(shown.length / perBlock) : 0;
    const paper = [...Array(blocks).keys()].map(b => {
      const copy = table.cloneNode(true);
      for (const tr of copy.rows) [...tr.cells].forEach((cell, i) => { if (i && Math.floor((i - 1) / perBlock) !== b) cell.remove(); });
      return copy;
    });
    const tipOf = event => {
      const td = event.target.closest("td[data-tip]");
      if (!td) return hideTip();
      const [title, ...lines] = td.dataset.tip.split("\n"), box = td.getBoundingClientRect();
      showTip(event.clientX ?? box.left, event.clientY ?? box.bottom, title, lines);
    };
    for (const name of ["pointermove", "focusin"]) table.addEventListener(name, tipOf);
    for (const name of ["pointerleave", "focusout"]) table.addEventListener(name, hideTip);
    const modes = element("div", {class: "switch", role: "group", "aria-label": "Values"});
    if (systems.length > 1) {
      for (const [mode, title] of [[false, "values"], [true, `difference to ${systems[baseline].name}`]]) {
        const button = element("button", {type: "button", "aria-pressed": String(heat.differences === mode), "data-mode": mode ? "difference" : "value"}, title);
        button.addEventListener("click", () => { heat.differences = mode; drawHeat(); $(`[aria-pressed="true"]`, figure)?.focus(); });
        modes.append(button);
      }
    }
    const others = shown.filter(c => systems[c].set !== systems[baseline].set).map(c => systems[c].name);
    const other = others.length ? ` Other keypoints than ${systems[baseline].name}: ${others.length < shown.length ? others.join(", ") : "all shown"}.` : "";
    const legend = differences ? `Percentage points; the strongest colours stand for ${digits(100 * most, 1)} or more, up or down.${other}`
      : all.length ? `Lowest: ${show(ends[0])} %, highest: ${show(ends[1])} %.` : "";
    $(".plot", figure).replaceChildren(element("div", {class: "controls"}, ...(modes.childElementCount ? [modes] : [])),
      element("div", {class: blocks ? "scroll screen" : "scroll", tabindex: "0", role: "region", "aria-label": $("h3", figure).textContent}, table), element("div", {class: "paper"}, ...paper), element("p", {class: "note"}, legend));
  }

  // Ranking

  function compareWith(i) {
    baseline = i;
    const against = data.against[i];
    for (const e of $$(".ranking .to")) e.textContent = `to ${systems[i].name}`;
    for (const td of $$(".ranking td.difference")) {
      const scope = td.closest("tbody").dataset.scope, system = +td.closest("tr").dataset.system;
      const d = against?.rows.find(d => d.system === system && d.scope === scope);
      td.replaceChildren();
      delete td.dataset.value;
      if (system === i) {
        td.dataset.value = 0;
        td.append("baseline");
      } else if (!d) {
        td.append("–", ...(systems[system].set === systems[i].set ? [] : [element("small", {}, systems[system].rule === systems[i].rule ? "other keypoints" : "other relevance")]));
      } else {
        td.dataset.value = d.value;
        td.append(d.text, element("span", {class: "mark", title: d.p === undefined ? "not tested: too few scenes" : `p = ${d.p}`}, d.mark ?? ""));
        if (d.range) td.append(element("small", {}, d.range));
      }
    }
    if ($("#notes")) $("#notes").textContent = against?.notes.join(" ") ?? "";
    if ($("#filter")) filterRows();
    const sorted = $(".ranking th[aria-sort]");
    if (sorted && $(".to", sorted)) sort(sorted, sorted.getAttribute("aria-sort"));
    if (data.heat) drawHeat();
  }

  // Above 15 descriptors, the ranking shows the 12 that are on at first and the baseline, or
  // those with a text in their names.

  function filterRows() {
    const text = $("#filter").value.trim().toLowerCase(), top = $("#top").checked && !text;
    const rows = $$(".ranking tbody tr");
    for (const tr of rows) tr.hidden = top ? !systems[+tr.dataset.system].on && +tr.dataset.system !== baseline : !systems[+tr.dataset.system].name.toLowerCase().includes(text);
    const body = $(".ranking tbody:not([hidden])");
    $("#rows").textContent = `${[...body.rows].filter(tr => !tr.hidden).length} of ${body.rows.length} shown`;
  }
  if ($("#filter")) {
    $("#filter").addEventListener("input", filterRows);
    $("#top").addEventListener("change", () => { $("#filter").value = ""; filterRows(); });
  }

  function sort(th, direction) {
    const column = [...th.parentElement.children].indexOf(th), sign = direction === "descending" ? -1 : 1;
    for (const other of $$("[aria-sort]", th.parentElement)) other.removeAttribute("aria-sort");
    th.setAttribute("aria-sort", direction);
    for (const body of $$("tbody", th.closest("table"))) {
      const value = tr => tr.children[column].dataset.value, set = tr => systems[+tr.dataset.system].set;
      const rows = [...body.children].sort((a, b) => {
        const [x, y] = [value(a), value(b)];
        if (x === undefined || y === undefined) return (x === undefined) - (y === undefined);
        return column ? set(a) - set(b) || sign * (x - y) : sign * x.localeCompare(y);
      });
      body.append(...rows);
    }
  }
  for (const button of $$(".ranking thead button")) {
    button.addEventListener("click", () => {
      const th = button.closest("th"), first = th.cellIndex ? "descending" : "ascending";
      const now = th.getAttribute("aria-sort");
      sort(th, !now ? first : now === "descending" ? "ascending" : "descending");
    });
  }
  for (const button of $$("#ranking .switch button")) {
    button.addEventListener("click", () => {
      for (const b of $$("#ranking .switch button")) b.setAttribute("aria-pressed", String(b === button));
      for (const e of $$("#ranking :is(tbody, span)[data-scope]")) e.hidden = e.dataset.scope !== button.dataset.scope;
    });
  }

  // Controls

  for (const box of $$(".chip input")) {
    box.checked = on[+box.value];
    box.addEventListener("change", () => { on[+box.value] = box.checked; show(); });
  }
  $(".chips").append(...$$(".chip").sort((a, b) => on[b.dataset.system] - on[a.dataset.system])); // those that are on first
  const choices = {all: () => true, none: () => false, best: s => s.on};
  for (const button of $$("[data-choose]")) {
    button.addEventListener("click", () => {
      systems.forEach((s, i) => { on[i] = choices[button.dataset.choose](s); });
      for (const box of $$(".chip input")) box.checked = on[+box.value];
      show();
    });
  }
  const select = $("#baseline");
  if (select) {
    select.value = String(baseline);
    select.addEventListener("change", () => compareWith(+select.value));
  }
  compareWith(baseline);
  show();
})();

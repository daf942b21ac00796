(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const systems = data.systems;
  const on = systems.map(s => s.on);

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
    for (const plot of $$(".plot")) plot.classList.toggle("dimmed", lit.some(i => on[i]));
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
      return {g, x, y, texts, shown, name: shown.map(i => systems[i].name).join(", ") + (g.dataset.note ? ` (${g.dataset.note})` : "")};
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

  // Ranking

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
  show();
})();

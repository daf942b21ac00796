(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const systems = data.systems;
  const on = systems.map(s => s.on);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  let baseline = Math.max(0, data.baseline);

  // The looks of systems are those of all figures of descbench.

  const style = data.style;
  const of = (list, system) => list[systems[system].look % list.length];
  const dash = i => of(style.dashes, i).map(d => d * 1.2).join(" ") || "none";

  function look(group, system) {
    const colour = of(style.colours, system);
    group.classList.add("look");
    if (colour === "#000000") group.classList.add("text"); // black on white, white on black
    group.style.setProperty("--c", colour);
    return group;
  }

  const path = points => points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  function mark(system, x, y, r = 3.4) {
    const {filled, lines} = of(style.marks, system), look = {class: filled ? "mark-solid" : "mark-open"};
    if (!lines) return svg("circle", {cx: x, cy: y, r, ...look});
    return svg("path", {d: lines.map(line => path(line.map(([a, b]) => [x + r * a, y - r * b])) + "z").join(""), ...look});
  }

  const sample = i => look(svg("svg", {width: 28, height: 12, "aria-hidden": "true"},
    svg("path", {d: "M0 6h28", class: "line", fill: "none", stroke: "var(--ink)", "stroke-width": 1.8, "stroke-dasharray": dash(i)}), mark(i, 14, 6)), i);
  for (const e of $$(".sample")) e.append(sample(+e.dataset.system));

  // Numbers

  const digits = (v, n) => {
    const text = v.toFixed(n);
    return +text === 0 ? text.replace("-", "") : text;
  };
  const significant = v => v === 0 ? "0" : Math.abs(v) >= 1e4 || Math.abs(v) < 1e-3 ? v.toPrecision(3) : digits(v, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(v)))));
  const points = v => (v > 0 && +digits(100 * v, 1) ? "+" : "") + digits(100 * v, 1).replace("-", "−");
  function text(v, axis) {
    if (axis.percent) return digits(100 * v, axis.decimals) + " %";
    return axis.whole ? digits(v, 0) : axis.decimals === undefined ? significant(v) : digits(v, axis.decimals);
  }
  const withInterval = (v, interval, axis) => text(v, axis) + (interval ? ` [${text(interval[0], axis)}, ${text(interval[1], axis)}]` : "");

  // Axes have the ranges and ticks of the figures of descbench report --figures. A range of
  // the data shrinks to the ticks around the values shown when descriptors are switched off,
  // or bands of many are not drawn.

  function within(axis, values, fewer = on.includes(false)) {
    let {min: low, max: high, ticks = []} = axis;
    if (axis.free && fewer) {
      const labelled = ticks.filter(t => t.label);
      low = labelled.findLast(t => t.value <= Math.min(...values))?.value ?? low;
      high = labelled.find(t => t.value >= Math.max(...values) && t.value > low)?.value ?? high;
    }
    return {...axis, min: low, max: high, ticks: ticks.filter(t => t.value >= low && t.value <= high)};
  }

  const title = axis => axis.label + (axis.log ? ", log scale" : axis.percent && axis.min > 0 ? ", not from 0" : "");

  function scale({log, min: low, max: high}, from, to) {
    if (!log) return v => from + (v - low) / (high - low) * (to - from);
    return v => from + Math.log(v / low) / Math.log(high / low) * (to - from);
  }

  // labels returns the labels of ticks below an axis that have the room.
  function labels(ticks, px, y) {
    let free = -Infinity; // where the next label may begin
    return ticks.filter(t => t.label).flatMap(({value: v, label}) => {
      const half = 3.3 * label.length;
      if (px(v) - half < free) return [];
      free = px(v) + half + 5;
      return [svg("text", {x: px(v), y, "text-anchor": "middle"}, label)];
    });
  }

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

  function highlight(system) {
    for (const plot of $$(".plot")) {
      plot.classList.toggle("dimmed", system !== undefined && on[system] && !plot.closest(".heat"));
    }
    for (const e of $$(".plot g[data-system], .ranking tr[data-system]")) e.classList.toggle("lit", +e.dataset.system === system);
  }
  for (const e of $$(".chip, .ranking tbody tr")) {
    e.addEventListener("pointerenter", () => highlight(+e.dataset.system));
    e.addEventListener("pointerleave", () => highlight());
  }

  // Graphs

  function key(samples) {
    return samples.length ? [element("div", {class: "key"}, ...samples.map(([name, drawing]) => element("span", {}, svg("svg", {width: 26, height: 10, "aria-hidden": "true"}, drawing), name)))] : [];
  }
  const referenceSample = (name, i = 0) => [name, svg("path", {d: "M0 5h26", class: `reference level${i}`})];

  function drawGraph(chart, width) {
    const {curves: all, references = [], dots} = chart.figure;
    const curves = all.filter(c => on[c.system]);
    if (!curves.length) return [element("p", {class: "none"}, "No descriptor is switched on.")];
    const banded = curves.filter(c => !c.marks && c.along), crowded = banded.length > data.style.most_bands;
    const X = within(chart.figure.x, curves.flatMap(c => c.points.map(p => p[0])));
    const Y = within(chart.figure.y, curves.flatMap(c => [...c.points.map(p => p[1]), ...!crowded && c.along || []].flatMap(v => v ?? [])), crowded || on.includes(false));
    const height = Math.round(Math.min(330, Math.max(230, width * .62)));
    const left = 12 + 6.2 * Math.max(0, ...Y.ticks.map(t => (t.label ?? "").length)), top = 24, right = width - 12, bottom = height - 38;
    const px = scale(X, left, right), py = scale(Y, bottom, top);
    const place = p => [px(p[0]), py(p[1])];
    const clip = `clip-${chart.id}`;
    const root = svg("svg", {width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${chart.title}: ${Y.label} against ${X.label}`},
      svg("clipPath", {id: clip}, svg("rect", {x: left - 5, y: top - 5, width: right - left + 10, height: bottom - top + 10})));
    for (const {value: v, label} of Y.ticks) {
      if (label) root.append(svg("path", {d: `M${left} ${py(v)}H${right}`, class: "gridline"}), svg("text", {x: left - 6, y: py(v) + 4, "text-anchor": "end"}, label));
    }
    for (const {value: v} of X.ticks) root.append(svg("path", {d: `M${px(v)} ${bottom}v4`, class: "frame"}));
    root.append(...labels(X.ticks, px, bottom + 16));
    root.append(svg("path", {d: `M${left} ${bottom}H${right}`, class: "frame"}),
      svg("text", {x: 0, y: 11}, title(Y)), svg("text", {x: right, y: height - 4, "text-anchor": "end"}, title(X)));
    const inside = root.appendChild(svg("g", {"clip-path": `url(#${clip})`}));
    for (const r of references) inside.append(svg("path", {d: path(r.points.map(place)), class: "reference"}));
    for (const c of banded) {
      const ends = i => c.points.flatMap((p, k) => c.along[k] ? [place([p[0], c.along[k][i]])] : []);
      const outline = ends(0).concat(ends(1).reverse());
      if (outline.length) inside.append(look(svg("g", {"data-system": c.system}, svg("path", {d: path(outline) + "z", class: "band", "fill-opacity": crowded ? 0 : .12})), c.system));
    }
    const near = []; // of the pointer: position, curve, index
    for (const c of curves) {
      const g = inside.appendChild(look(svg("g", {"data-system": c.system}), c.system));
      const placed = c.points.map(place);
      if (!c.marks) g.append(svg("path", {d: path(c.steps ? placed.flatMap(([x, y], i) => i ? [[x, placed[i - 1][1]], [x, y]] : [[x, y]]) : placed), class: "line", "stroke-dasharray": dash(c.system)}));
      c.points.forEach((p, i) => {
        near.push([...placed[i], c, i]);
        const along = c.along?.[i];
        if (c.marks && along) g.append(svg("path", {d: `M${placed[i][0] - 3} ${py(along[0])}h6m-3 0V${py(along[1])}m-3 0h6`, class: "whisker"}));
      });
      g.append(...(c.marks ? placed : c.marked.map(place)).map(([x, y]) => mark(c.system, x, y, c.marks ? 4.2 : 3.2)));
      if (c.dot) {
        const [x, y] = place(c.dot);
        g.append(svg("path", {d: `M${x} ${y - 8}l7 12h-14z`, class: "dot"}));
      }
    }
    pointAt(root, (x, y) => {
      let best, least = 45 * 45;
      for (const n of near) {
        const d = (n[0] - x) ** 2 + (n[1] - y) ** 2;
        if (d < least) [best, least] = [n, d];
      }
      if (!best) return;
      const [, , c, i] = best;
      return {system: c.system, title: c.name + (c.note ? ` (${c.note})` : ""), lines: [
        `${label(X)}: ${text(c.points[i][0], X)}`, `${label(Y)}: ${withInterval(c.points[i][1], c.along?.[i], Y)}`]};
    });
    const names = [...new Set(curves.map(c => c.system))].map(system => element("span", {}, sample(system), systems[system].name));
    const samples = references.map(r => referenceSample(r.name));
    if (dots) samples.push([dots, svg("path", {d: "M13 0l5 9h-10z", class: "dot", style: "--ink:var(--muted)"})]);
    const drawn = curves.map(c => String(c.points)), alike = drawn.map(d => curves.filter((c, i) => drawn[i] === d)).filter(group => group.length > 1);
    const equal = new Set(alike.map(group => group.map(c => c.name).join(" = ")));
    return [root, element("div", {class: "key systems"}, ...names), ...key(samples), // the names are for print
      ...(equal.size ? [element("div", {class: "key"}, `Equal: ${[...equal].join("; ")}.`)] : [])];
  }

  const label = axis => axis.label.replace(" (%)", "");

  // pointAt shows the tip for what find returns of the pointer's position.
  function pointAt(root, find) {
    const move = event => {
      const box = root.getBoundingClientRect();
      const found = find(event.clientX - box.left, event.clientY - box.top);
      highlight(found?.system);
      if (found) showTip(event.clientX, event.clientY, found.title, found.lines);
      else hideTip();
    };
    root.addEventListener("pointermove", move);
    root.addEventListener("pointerdown", move);
    root.addEventListener("pointerleave", () => { highlight(); hideTip(); });
  }

  // Bars

  function drawBars(chart, width) {
    const {bars: all, levels = []} = chart.figure;
    // A bar of a keypoint set stands for those of its descriptors that are on.
    const shownOf = s => chart.id === "keypoint_spread" ? systems.findIndex((o, i) => on[i] && o.set === systems[s].set) : s;
    const bars = all.map(b => ({...b, system: shownOf(b.system)})).filter(b => on[b.system]);
    if (!bars.length) return [element("p", {class: "none"}, "No descriptor is switched on.")];
    if (bars.length > 1 && bars.every(b => b.value === bars[0].value)) return [element("p", {class: "none"}, `No chart: all ${bars.length} values shown are ${bars[0].text}.`)];
    const rows = bars.flatMap((b, i) => b.group === bars[i - 1]?.group ? [b] : [b.group, b]); // with the names of groups
    const row = 22, top = 4, bottom = top + row * rows.length, height = bottom + 36;
    const names = bars.map(b => [...b.name]), longest = Math.max(...names.map(n => n.length)), room = Math.floor(width * .42 / 6.8);
    // Names are cut in the middle, or elsewhere if some would become equal, as in figures.
    const cuts = [.5, .2, .8, 0, 1].map(head => names.map(n => {
      const first = Math.round(head * (room - 1));
      return (n.length > room ? [...n.slice(0, first), "…", ...n.slice(n.length - (room - 1 - first))] : n).join("");
    }));
    const shown = cuts.find(c => new Set(c).size === names.length) ?? cuts[0];
    const left = Math.min(longest, room) * 6.8 + 10;
    const values = bars.flatMap(b => [b.value, ...(b.interval || [])]).concat(levels.map(l => l.value), 0);
    const X = within(chart.figure.x, values), widest = Math.max(...bars.map(b => b.text.length));
    const right = width - 6.4 * widest - 6, px = scale(X, left, right);
    const root = svg("svg", {width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${chart.title}: ${X.label}`});
    for (const {value: v} of X.ticks) root.append(svg("path", {d: `M${px(v)} ${top}V${bottom}`, class: "gridline"}));
    root.append(...labels(X.ticks, px, bottom + 15));
    root.append(svg("text", {x: right, y: height - 4, "text-anchor": "end"}, X.label));
    const zero = px(Math.max(X.min, Math.min(0, X.max)));
    rows.forEach((b, i) => {
      const y = top + i * row, middle = y + row / 2;
      if (!b.name) return root.append(svg("text", {y: middle + 4}, b));
      const g = root.appendChild(look(svg("g", {"data-system": b.system}), b.system));
      g.append(svg("text", {x: left - 8, y: middle + 4, "text-anchor": "end", class: "strong"}, shown[bars.indexOf(b)]),
        svg("rect", {x: Math.min(zero, px(b.value)), y: y + 4, width: Math.abs(px(b.value) - zero), height: row - 8, class: "bar"}));
      if (b.interval) {
        const [low, high] = b.interval.map(px);
        g.append(svg("path", {d: `M${low} ${middle - 3}v6m0 -3H${high}m0 -3v6`, class: "barwhisker"}));
      }
      g.append(svg("text", {x: width, y: middle + 4, "text-anchor": "end", class: "strong"}, b.text));
    });
    levels.forEach((l, i) => root.append(svg("path", {d: `M${px(l.value)} ${top}V${bottom}`, class: `reference level${i}`})));
    pointAt(root, (x, y) => {
      const b = rows[Math.floor((y - top) / row)];
      return b?.name && {system: b.system, title: b.name, lines: [`${label(X)}: ${withInterval(b.value, b.interval, X)}`]};
    });
    return [root, ...key(levels.map((l, i) => referenceSample(`${l.name}: ${X.percent ? significant(100 * l.value) + " %" : text(l.value, X)}`, i)))];
  }

  // Heat maps are tables. They show values, or differences to the baseline.

  const heat = {differences: false, sort: -1}; // column to sort rows by; -1: names

  function drawHeat(chart) {
    const {rows, categories, means, cells} = chart.figure, {differences} = heat; // a column for each system
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
      button.addEventListener("click", () => { heat.sort = c; draw(); $(`#${chart.id} th[aria-sort] button`)?.focus(); });
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
        button.addEventListener("click", () => { heat.differences = mode; draw(); $(`#${chart.id} [aria-pressed="true"]`)?.focus(); });
        modes.append(button);
      }
    }
    const others = shown.filter(c => systems[c].set !== systems[baseline].set).map(c => systems[c].name);
    const other = others.length ? ` Other keypoints than ${systems[baseline].name}: ${others.length < shown.length ? others.join(", ") : "all shown"}.` : "";
    const legend = differences ? `Percentage points; the strongest colours stand for ${digits(100 * most, 1)} or more, up or down.${other}`
      : all.length ? `Lowest: ${show(ends[0])} %, highest: ${show(ends[1])} %.` : "";
    return [element("div", {class: "controls"}, ...(modes.childElementCount ? [modes] : [])),
      element("div", {class: blocks ? "scroll screen" : "scroll", tabindex: "0", role: "region", "aria-label": chart.title}, table), element("div", {class: "paper"}, ...paper), element("p", {class: "note"}, legend)];
  }

  // The numbers of a chart as a table, for those who cannot see it and for copying.

  function numbers(chart) {
    const f = chart.figure, attributes = {th: {scope: "col"}}, plain = (v, interval, axis) => withInterval(v, interval, axis).replaceAll(" %", ""), row = (tag, cells) => element("tr", {}, ...cells.map(c => element(tag, attributes[tag], c)));
    const table = (head, body) => element("table", {}, element("thead", {}, row("th", head)), element("tbody", {}, ...body.map(b => row("td", b))));
    if (chart.kind === "bars") return table(["descriptor", f.x.label], f.bars.filter(b => on[b.system]).map(b => [b.name, plain(b.value, b.interval, f.x)]));
    const curves = f.curves.filter(c => on[c.system]);
    const xs = [...new Set(curves.flatMap(c => c.points.map(p => p[0])))].filter(x => !curves[0].steps || Number.isInteger(x)).sort((a, b) => a - b);
    if (curves.every(c => c.marks) || xs.length > 60) {
      const every = c => Math.max(1, Math.floor(c.points.length / 20));
      return table(["descriptor", f.x.label, f.y.label], curves.flatMap(c => c.points.map((p, i) => [i, p]).filter(([i]) => c.marks || i % every(c) === 0)
        .map(([i, p]) => [c.name, plain(p[0], null, f.x), plain(p[1], c.along?.[i], f.y)])));
    }
    const out = table([f.x.label, ...curves.map(c => c.name + (c.note ? ` (${c.note})` : ""))], xs.map(x => [text(x, f.x), ...curves.map(c => {
      const i = c.points.findIndex(p => p[0] === x);
      return i < 0 ? "" : plain(c.points[i][1], c.along?.[i], f.y);
    })]));
    out.prepend(element("caption", {}, f.y.label));
    return out;
  }

  // Graphs of up to 390 px have labels of 7 pt where two stand side by side in print.
  const drawings = {graph: drawGraph, bars: drawBars, heat: drawHeat};
  function draw() {
    for (const chart of data.charts) {
      const figure = document.getElementById(chart.id), plot = $(".plot", figure);
      plot.replaceChildren(...drawings[chart.kind](chart, Math.min(390, Math.max(240, Math.floor(plot.clientWidth)))));
      if (chart.kind === "heat") continue;
      const details = $("details", figure);
      const fill = () => {
        $("div", details)?.remove();
        if (details.open) details.append(element("div", {}, numbers(chart)));
      };
      details.ontoggle = fill;
      fill();
    }
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
        td.append("–", ...(systems[system].set === systems[i].set ? [] : [element("small", {}, "other keypoints")]));
      } else {
        td.dataset.value = d.value;
        td.append(d.text, element("span", {class: "mark", title: d.p === undefined ? "not tested: too few scenes" : `p = ${significant(d.p)}`}, d.mark ?? ""));
        if (d.range) td.append(element("small", {}, d.range));
      }
    }
    if ($("#notes")) $("#notes").textContent = against?.notes.join(" ") ?? "";
    if ($("#filter")) filterRows();
    const sorted = $(".ranking th[aria-sort]");
    if (sorted && $(".to", sorted)) sort(sorted, sorted.getAttribute("aria-sort"));
    draw();
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
      for (const e of $$("#ranking tbody")) e.hidden = e.dataset.scope !== button.dataset.scope;
    });
  }

  // Controls

  for (const box of $$(".chip input")) {
    box.checked = on[+box.value];
    box.addEventListener("change", () => { on[+box.value] = box.checked; draw(); });
  }
  $(".chips").append(...$$(".chip").sort((a, b) => on[b.dataset.system] - on[a.dataset.system])); // those that are on first
  const choices = {all: () => true, none: () => false, best: s => s.on};
  for (const button of $$("[data-choose]")) {
    button.addEventListener("click", () => {
      systems.forEach((s, i) => { on[i] = choices[button.dataset.choose](s); });
      for (const box of $$(".chip input")) box.checked = on[+box.value];
      draw();
    });
  }
  const select = $("#baseline");
  if (select) {
    select.value = String(baseline);
    select.addEventListener("change", () => compareWith(+select.value));
  }
  compareWith(baseline);
  // Not for print: Chromium counts the pages before, and cuts off what grows.
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    draw();
  });
})();

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const classes = [
    {name: "correct", title: "correct", on: true, step: 4, at: 0, dash: "none"},
    {name: "missed", title: "missed", on: true, step: 6, at: 1, dash: "5 2.5"},
    {name: "wrong", title: "no ground truth", on: null, step: 4, at: 2, dash: "1.5 2.5"},
    ...(data.depth ? [
      {name: "occluded", title: "occluded", on: false, step: 4, at: 4, dash: "6 2 1.5 2"},
      {name: "unknown", title: "unknown, without depth", on: false, step: 4, at: 5, dash: "1 3"},
    ] : []),
  ];
  const shown = data.systems.map((_, i) => i).filter(i => data.records[i]);
  const state = {lines: 40, pair: 0, system: shown[0] ?? -1};

  const pair = () => data.pairs[state.pair];
  const matches = () => pair().systems[state.system];
  // A matcher's matches have no ground truths: all that are not correct are wrong.
  const matcher = () => Boolean(data.matchers[state.system]);
  const isOn = c => c.on ?? matcher();

  // Of the classes that are on, the lines are a sample in which each has its share.

  function shares() {
    const list = state.system < 0 ? {} : matches();
    const parts = classes.map(c => ({c, of: list[c.name] ?? [], count: isOn(c) ? list.count?.[c.at] ?? 0 : 0}));
    const total = parts.reduce((sum, p) => sum + p.count, 0);
    const most = Math.floor(Math.min(total, ...parts.filter(p => p.count).map(p => p.of.length / p.c.step / p.count * total)));
    let share = 0, drawn = 0;
    for (const p of parts) {
      share += p.count / total * Math.min(state.lines, most) || 0;
      drawn += p.lines = Math.min(p.of.length / p.c.step, Math.round(share) - drawn);
    }
    return {parts, total, most};
  }

  // The images, side by side, or one below the other on a narrow screen.

  const images = data.images.map(image => {
    const e = new Image();
    e.src = image.uri;
    return e;
  });
  const stage = $("#stage");
  const narrow = matchMedia("(max-width: 40rem)");

  function layout() {
    const [a, b] = [data.images[0], data.images[pair().k - 1]];
    const gap = Math.round(Math.max(a.width, b.width) / 80);
    const below = narrow.matches;
    return {
      a, b, at: below ? [0, a.height + gap] : [a.width + gap, 0],
      width: below ? Math.max(a.width, b.width) : a.width + gap + b.width,
      height: below ? a.height + gap + b.height : Math.max(a.height, b.height),
    };
  }

  function drawStage() {
    stage.replaceChildren();
    if (data.images.length === 0 || state.system < 0) return;
    const l = layout();
    const picture = svg("svg", {viewBox: `0 0 ${l.width} ${l.height}`, role: "img", "aria-label": `images 1 and ${pair().k} with the matches of ${data.systems[state.system]}`},
      svg("image", {href: l.a.uri, width: l.a.width, height: l.a.height}),
      svg("image", {href: l.b.uri, x: l.at[0], y: l.at[1], width: l.b.width, height: l.b.height}));
    const radius = Math.max(l.width, l.height) / (narrow.matches ? 250 : 420);
    const left = (x, y) => [x + .5, y + .5];
    const right = (x, y) => [x + .5 + l.at[0], y + .5 + l.at[1]];

    function match(kind, [x, y], [u, v], truth) {
      const ends = {x1: x, y1: y, x2: u, y2: v};
      const g = svg("g", {class: "match"},
        svg("line", {class: "target", ...ends}), svg("line", {class: "halo", ...ends}), svg("line", {class: `line ${kind}`, ...ends}),
        svg("circle", {class: `dot ${kind}`, cx: x, cy: y, r: radius}), svg("circle", {class: `dot ${kind}`, cx: u, cy: v, r: radius}));
      if (truth) g.append(svg("circle", {class: "truth", cx: truth[0], cy: truth[1], r: 2.6 * radius}));
      picture.append(g);
    }

    for (const {c, of: list, lines} of shares().parts.reverse()) {
      for (let i = 0; i < c.step * lines; i += c.step) {
        const line = c.name === "wrong" && matches().lines?.slice(i, i + 4);
        if (line?.length) {
          const [from, to] = [right(line[0], line[1]), right(line[2], line[3])];
          picture.append(svg("line", {class: "epipolar", x1: from[0], y1: from[1], x2: to[0], y2: to[1]}));
        }
        const truth = c.step === 6 ? right(list[i + 4], list[i + 5]) : null;
        match(c.name, left(list[i], list[i + 1]), right(list[i + 2], list[i + 3]), truth);
      }
    }
    stage.append(picture);
  }

  // Switches

  const percent = v => v === null ? "–" : (100 * v).toFixed(2);

  function drawClasses() {
    const counts = state.system < 0 ? [] : matches().count ?? [];
    $("#classes").replaceChildren(...classes.flatMap(c => {
      if (matcher() && c.name === "missed") return [];
      const box = element("input", {type: "checkbox"});
      box.checked = isOn(c);
      box.addEventListener("change", () => { c.on = box.checked; drawClasses(); drawStage(); });
      const sample = svg("svg", {width: 24, height: 10, "aria-hidden": "true"}, svg("path", {d: "M0 5h24", "stroke-width": 2, "stroke-dasharray": c.dash}));
      sample.style.stroke = `var(--${c.name})`;
      return element("label", {class: "key"}, box, sample, `${matcher() && c.name === "wrong" ? "wrong" : c.title} ${counts[c.at] ?? 0}`);
    }));
    const {parts, total, most} = shares(), drawn = parts.reduce((sum, p) => sum + p.lines, 0);
    const slider = $("#lines");
    slider.max = Math.max(10, Math.ceil(most / 10) * 10);
    slider.value = state.lines;
    $("#lines-shown").textContent = drawn;
    $("#sampled").textContent = drawn < total ? `The lines are a random sample of ${drawn} of ${total}, with each kind by its share.` : "";
  }

  function drawTable() {
    $("#descriptors tbody").replaceChildren(...shown.map(i => {
      const s = pair().systems[i];
      const choose = element("button", {type: "button"}, data.systems[i]);
      const row = element("tr", {"aria-current": i === state.system}, element("th", {scope: "row"}, choose), element("td", {class: "number"}, percent(s.ap ?? null)), element("td", {class: "number"}, percent(s.hit ?? null)),
        ...[0, 1, 2, 3, ...(data.depth ? [4, 5] : [])].flatMap(c => {
          if (!data.matchers[i]) return element("td", {class: "number"}, String(s.count?.[c] ?? "–"));
          if (c === 1) return [];
          return c === 2 ? element("td", {class: "number", colspan: 2}, `${s.count[c]} wrong`) : element("td", {class: "number"}, String(s.count[c]));
        }));
      row.addEventListener("click", () => { state.system = i; draw(); });
      return row;
    }));
  }

  function options(select, list, chosen) {
    select.replaceChildren(...list.map(i => element("option", {value: i, selected: i === chosen}, data.systems[i])));
    select.value = chosen;
  }

  function draw() {
    $("#k").textContent = pair().k;
    $("#pair").value = pair().k;
    if (state.system >= 0) $("#system").value = state.system;
    drawClasses();
    drawStage();
    drawTable();
    writeAddress();
  }

  // The fragment of the address has the state, for links: #pair=1_3&descriptor=sift.

  function readAddress() {
    const address = new URLSearchParams(location.hash.slice(1));
    state.pair = Math.max(0, data.pairs.findIndex(p => `1_${p.k}` === address.get("pair")));
    state.system = shown.find(i => data.systems[i] === address.get("descriptor")) ?? state.system;
    draw();
  }

  function writeAddress() {
    const address = new URLSearchParams({pair: `1_${pair().k}`});
    if (state.system >= 0) address.set("descriptor", data.systems[state.system]);
    history.replaceState(null, "", "#" + address);
    for (const a of document.querySelectorAll(".neighbours a")) a.hash = address;
  }

  $("#tolerance").textContent = data.tolerance_px;
  $("#matcher").hidden = !data.matchers.includes(true) || data.epipolar;
  options($("#system"), shown, state.system);
  $("#system").addEventListener("change", e => { state.system = +e.target.value; draw(); });
  $("#pair").addEventListener("input", e => { state.pair = data.pairs.findIndex(p => p.k === +e.target.value); draw(); });
  $("#lines").addEventListener("input", e => { state.lines = +e.target.value; drawClasses(); drawStage(); });
  narrow.addEventListener("change", drawStage);
  addEventListener("hashchange", readAddress);
  readAddress();
})();

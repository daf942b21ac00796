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
  const patch = data.patch_px;
  const shown = data.systems.map((_, i) => i).filter(i => data.sets[i] >= 0);
  const state = {lines: 40, pair: 0, system: shown[0] ?? -1, winner: -1, loser: -1, query: null};

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

    function match(kind, [x, y], [u, v], truth, lit) {
      const ends = {x1: x, y1: y, x2: u, y2: v};
      const g = svg("g", {class: "match" + (lit ? " lit" : "")},
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
        match(c.name, left(list[i], list[i + 1]), right(list[i + 2], list[i + 3]), truth, false);
      }
    }
    const q = state.query;
    if (q) {
      picture.classList.add("focused");
      const lost = q.answers.find(a => a.system === state.loser);
      match("missed", left(...q.query), right(...lost.match), null, true);
      match("correct", left(...q.query), right(...q.truth), null, true);
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
      row.addEventListener("click", () => { state.system = i; state.query = null; draw(); });
      return row;
    }));
  }

  // Won and lost queries

  const others = i => shown.filter(j => j !== i && data.sets[j] === data.sets[i]);

  // chooseTwo keeps the winner and gives it an opponent on the same keypoints.
  function chooseTwo() {
    if (!shown.includes(state.winner) || others(state.winner).length === 0) state.winner = shown.find(i => others(i).length > 0) ?? -1;
    const opponents = state.winner < 0 ? [] : others(state.winner);
    if (!opponents.includes(state.loser)) state.loser = opponents[0] ?? -1;
  }

  function options(select, list, chosen) {
    select.replaceChildren(...list.map(i => element("option", {value: i, selected: i === chosen}, data.systems[i])));
    select.value = chosen;
  }

  function cut(image, [x, y]) {
    const canvas = element("canvas", {width: 160, height: 160});
    const context = canvas.getContext("2d");
    const paint = () => {
      const scale = images[image].naturalWidth / data.images[image].width;
      context.imageSmoothingQuality = "high";
      context.drawImage(images[image], (x + .5 - patch / 2) * scale, (y + .5 - patch / 2) * scale, patch * scale, patch * scale, 0, 0, 160, 160);
      context.strokeStyle = "rgb(255 255 255 / 80%)";
      context.lineWidth = 1.5;
      context.beginPath();
      context.moveTo(80, 70); context.lineTo(80, 90); context.moveTo(70, 80); context.lineTo(90, 80);
      context.stroke();
    };
    if (images[image].complete) paint(); else images[image].addEventListener("load", paint, {once: true});
    return canvas;
  }

  const rank = r => Number.isInteger(r) ? String(r) : r.toFixed(1);

  function drawQueries() {
    $("#decided").hidden = state.winner < 0 || data.epipolar;
    if ($("#decided").hidden) return;
    options($("#winner"), shown.filter(i => others(i).length > 0), state.winner);
    options($("#loser"), others(state.winner), state.loser);
    const list = pair().decided.filter(d => {
      const won = d.answers.find(a => a.system === state.winner), lost = d.answers.find(a => a.system === state.loser);
      return won && lost && won.rank <= 1 && lost.rank > 1 && lost.wrong;
    });
    const all = pair().won[state.winner][state.loser];
    $("#of").textContent = list.length < all ? `Shown: a random sample of ${list.length} of ${all}.` : all ? "All are shown." : "";
    if (list.length === 0) {
      $("#queries").replaceChildren(element("p", {class: "none"}, `${data.systems[state.winner]} wins no query of this pair that ${data.systems[state.loser]} loses.`));
      return;
    }
    $("#queries").replaceChildren(...list.map(d => {
      const lost = d.answers.find(a => a.system === state.loser);
      const part = (image, at, name, text) => element("span", {class: name}, ...(data.images.length ? [cut(image, at)] : []), text);
      const item = element("button", {type: "button", class: "query", "aria-pressed": "false"}, element("span", {class: "patches"},
        part(0, d.query, "", `query at ${d.query.join(", ")}`),
        part(pair().k - 1, d.truth, "won", `ground truth: rank 1 for ${data.systems[state.winner]}, ${rank(lost.rank)} for ${data.systems[state.loser]}`),
        part(pair().k - 1, lost.match, "lost", `match of ${data.systems[state.loser]}`)));
      item.addEventListener("click", () => {
        const again = state.query === d;
        for (const other of document.querySelectorAll(".query")) other.setAttribute("aria-pressed", "false");
        state.query = again ? null : d;
        item.setAttribute("aria-pressed", String(!again));
        drawStage();
        if (!again) stage.scrollIntoView({block: "nearest"});
      });
      return item;
    }));
  }

  function draw() {
    $("#k").textContent = pair().k;
    $("#pair").value = pair().k;
    if (state.system >= 0) $("#system").value = state.system;
    drawClasses();
    drawStage();
    drawTable();
    drawQueries();
    writeAddress();
  }

  // The fragment of the address has the state, for links: #pair=1_3&descriptor=sift&winner=sift&loser=surf.

  const chosen = {descriptor: "system", winner: "winner", loser: "loser"};

  function readAddress() {
    const address = new URLSearchParams(location.hash.slice(1));
    state.pair = Math.max(0, data.pairs.findIndex(p => `1_${p.k}` === address.get("pair")));
    const decided = shown.flatMap(i => others(i).map(j => [i, j])).find(([i, j]) => pair().won[i][j] > 0);
    if (decided) [state.winner, state.loser] = decided;
    for (const [key, name] of Object.entries(chosen)) state[name] = shown.find(i => data.systems[i] === address.get(key)) ?? state[name];
    state.query = null;
    chooseTwo();
    draw();
  }

  function writeAddress() {
    const address = new URLSearchParams({pair: `1_${pair().k}`});
    for (const [key, name] of Object.entries(chosen)) if (state[name] >= 0) address.set(key, data.systems[state[name]]);
    history.replaceState(null, "", "#" + address);
    for (const a of document.querySelectorAll(".neighbours a")) a.hash = address;
  }

  $("#tolerance").textContent = data.tolerance_px;
  $("#matcher").hidden = !data.matchers.includes(true) || data.epipolar;
  options($("#system"), shown, state.system);
  $("#system").addEventListener("change", e => { state.system = +e.target.value; state.query = null; draw(); });
  $("#pair").addEventListener("input", e => { state.pair = data.pairs.findIndex(p => p.k === +e.target.value); state.query = null; draw(); });
  $("#winner").addEventListener("change", e => { state.winner = +e.target.value; state.query = null; chooseTwo(); draw(); });
  $("#loser").addEventListener("change", e => { state.loser = +e.target.value; state.query = null; draw(); });
  $("#lines").addEventListener("input", e => { state.lines = +e.target.value; drawClasses(); drawStage(); });
  $("#swap").addEventListener("click", () => { [state.winner, state.loser] = [state.loser, state.winner]; state.query = null; draw(); });
  narrow.addEventListener("change", drawStage);
  addEventListener("hashchange", readAddress);
  readAddress();
})();

(() => {
  // Of all pairs and descriptors, one is shown.
  const pair = $("#pair"), system = $("#system");

  function show() {
    for (const e of $$("[data-k]")) e.toggleAttribute("hidden", e.dataset.k !== pair.value);
    for (const e of $$("g[data-system]")) e.toggleAttribute("hidden", e.dataset.system !== system.value);
    for (const e of $$("tr[data-system]")) e.setAttribute("aria-current", e.dataset.system === system.value);
    const address = new URLSearchParams({pair: `1_${pair.value}`, descriptor: system.selectedOptions[0]?.text ?? ""});
    history.replaceState(null, "", "#" + address);
    for (const a of $$(".neighbours a")) a.hash = address;
  }

  // The fragment of the address has the choice, for links: #pair=1_3&descriptor=sift.
  function readAddress() {
    const address = new URLSearchParams(location.hash.slice(1));
    for (const option of $$("option")) {
      if (option.text === address.get("descriptor") || `1_${option.text}` === address.get("pair")) option.selected = true;
    }
    show();
  }

  function showClasses() {
    for (const box of $$("#classes input")) {
      for (const path of $$(`#stage .${box.value}`)) path.toggleAttribute("hidden", !box.checked);
    }
  }

  for (const select of [pair, system]) select.addEventListener("change", show);
  for (const row of $$("tr[data-system]")) row.addEventListener("click", () => { system.value = row.dataset.system; show(); });
  for (const box of $$("#classes input")) box.addEventListener("change", showClasses);
  addEventListener("hashchange", readAddress);
  showClasses();
  readAddress();
})();

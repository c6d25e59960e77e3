/** Draws the charts of report.html from its data block. Plain browser JavaScript; nothing here holds data. */
export const CHART_SCRIPT = `(() => {
  const data = JSON.parse(document.getElementById('chart-data').textContent);
  const told = document.getElementById('told');
  const drawn = [];
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).trim();
  const number = (value) => value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toPrecision(2);
  const axisNumber = (value) => value >= 1e6 ? value / 1e6 + 'M' : value >= 1e4 ? value / 1e3 + 'k' : String(+value.toPrecision(6));
  const height = 165;
  const fromPlan = document.getElementById('from-plan');
  const linesOf = (chart) => fromPlan !== null && fromPlan.checked && chart.planned !== null ? chart.planned : chart.lines;
  // The run's time in which the charts over time are shown; they zoom together.
  let zoomed = null;

  // Outside the measured time: measured calls can end there.
  function shade(plot) {
    if (data.measured === null) return;
    const { ctx, bbox } = plot;
    const edge = (value) => Math.min(bbox.left + bbox.width, Math.max(bbox.left, plot.valToPos(value, 'x', true)));
    ctx.fillStyle = color('--shade');
    for (const [from, to] of [[bbox.left, edge(data.measured[0])], [edge(data.measured[1]), bbox.left + bbox.width]]) {
      if (to > from) ctx.fillRect(from, bbox.top, to - from, bbox.height);
    }
  }

  const upper = (chart, index) => chart.bounds[index];
  const lower = (chart, index) => index > 0 ? chart.bounds[index - 1] : chart.bounds[0] / 2 ** 0.25;

  // Percentiles have a point for several buckets: the nearest one is read.
  function near(chart, index) {
    if (chart.shape !== 'line') return index;
    const has = (at) => linesOf(chart).some(({ values }) => values[at] != null);
    for (let step = 0; step < data.x.length; step += 1) {
      if (has(index - step)) return index - step;
      if (has(index + step)) return index + step;
    }
    return index;
  }

  // What a chart says at one of its points.
  function words(chart, index) {
    const at = chart.bounds === null ? data.x[index] + ' s' : number(lower(chart, index)) + ' to ' + number(upper(chart, index)) + ' ms';
    const values = linesOf(chart).map(({ label, values }) => label + ' ' + (values[index] == null ? '–' : number(values[index]) + ' ' + chart.unit));
    return [at, ...values];
  }

  function tooltip(chart, tip) {
    return (plot) => {
      const { left, top, idx } = plot.cursor;
      if (idx == null || left < 0) {
        tip.hidden = true;
        return;
      }
      tip.replaceChildren(...words(chart, near(chart, idx)).map((text, line) => {
        const row = document.createElement('div');
        if (line > 0) {
          const dot = document.createElement('i');
          dot.style.background = 'var(' + linesOf(chart)[line - 1].color + ')';
          row.append(dot);
        }
        row.append(text);
        return row;
      }));
      tip.hidden = false;
      const room = plot.over.clientWidth;
      tip.style.left = left < room / 2 ? left + 12 + 'px' : '';
      tip.style.right = left < room / 2 ? '' : room - left + 12 + 'px';
      tip.style.top = Math.max(0, top - 20) + 'px';
    };
  }

  function zoomTo(plot, chart, from, to) {
    if (chart.bounds !== null) {
      plot.setScale('x', { min: from, max: to });
      return;
    }
    zoomed = [from, to];
    for (const other of drawn) if (other.chart.bounds === null) other.plot.setScale('x', { min: from, max: to });
  }

  function whole(chart) {
    return chart.bounds === null ? [data.x[0] ?? 0, Math.max(data.x.at(-1) ?? 1, 1)] : [-0.5, chart.bounds.length - 0.5];
  }

  function options(chart, width, tip) {
    const axis = { stroke: color('--muted'), grid: { stroke: color('--line'), width: 1 }, ticks: { show: false }, font: '11px system-ui' };
    const isTime = chart.bounds === null;
    const paths = { steps: uPlot.paths.stepped({ align: 1 }), bars: uPlot.paths.bars({ size: [0.86, 60] }), line: undefined }[chart.shape];
    return {
      width, height,
      hooks: {
        ...(isTime ? { drawClear: [shade] } : {}),
        setCursor: [tooltip(chart, tip)],
        setSelect: [(plot) => {
          const { left, width } = plot.select;
          if (width < 4) return;
          const [from, to] = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')];
          plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
          zoomTo(plot, chart, from, to);
        }],
      },
      cursor: {
        ...(isTime ? { sync: { key: 'run', filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' } } } : {}),
        dataIdx: (_, __, index) => near(chart, index),
        drag: { x: true, y: false, setScale: false },
        bind: { dblclick: (plot) => () => { zoomTo(plot, chart, ...whole(chart)); return null; } },
        points: { show: chart.shape !== 'bars' },
      },
      legend: { live: false, show: chart.shape !== 'bars' },
      scales: {
        x: { time: false, range: (_, min, max) => min === max ? [min - 0.5, max + 0.5] : [min, max] },
        y: { range: (_, low, high) => [0, high > 0 ? high * 1.1 : 1] },
      },
      axes: [
        {
          ...axis, size: 26, space: isTime ? 44 : 52, grid: { ...axis.grid, show: isTime },
          ...(isTime ? {} : { incrs: [1, 2, 4, 8, 16, 32] }),
          values: (_, ticks) => ticks.map((tick) => isTime ? tick + ' s' : Number.isInteger(tick) && chart.bounds[tick] !== undefined ? number(upper(chart, tick)) : ''),
        },
        { ...axis, size: 50, values: (_, ticks) => ticks.map(axisNumber) },
      ],
      series: [
        {},
        ...linesOf(chart).map((line) => ({
          label: line.label,
          stroke: color(line.color),
          width: chart.shape === 'bars' ? 0 : 1.5,
          spanGaps: true,
          ...(chart.shape === 'bars' ? { fill: color(line.color) } : {}),
          ...(chart.shape === 'steps' && linesOf(chart).length === 1 ? { fill: color('--fill') } : {}),
          ...(line.dashed ? { dash: [5, 4] } : {}),
          ...(paths === undefined ? { points: { size: 4, show: data.x.length <= 120 } } : { paths, points: { show: false } }),
        })),
      ],
    };
  }

  function keys(chart, plot) {
    return (event) => {
      const x = chart.bounds === null ? data.x : chart.bounds.map((_, index) => index);
      const { min, max } = plot.scales.x;
      const shown = x.flatMap((value, index) => value >= min && value <= max && near(chart, index) === index ? [index] : []);
      const at = plot.cursor.idx == null ? -1 : shown.indexOf(near(chart, plot.cursor.idx));
      const show = (index) => {
        const there = shown[Math.min(shown.length - 1, Math.max(0, index))];
        plot.setCursor({ left: plot.valToPos(x[there], 'x'), top: plot.over.clientHeight / 2 });
        told.textContent = words(chart, there).join(', ');
      };
      const scale = (factor) => {
        const middle = plot.cursor.idx == null ? (min + max) / 2 : x[plot.cursor.idx];
        const [least, most] = whole(chart);
        const half = Math.max(((max - min) * factor) / 2, 1);
        zoomTo(plot, chart, Math.max(least, middle - half), Math.min(most, middle + half));
      };
      const acts = {
        ArrowRight: () => show(at + 1), ArrowLeft: () => show(at - 1), Home: () => show(0), End: () => show(shown.length - 1),
        '+': () => scale(0.5), '=': () => scale(0.5), '-': () => scale(2),
        0: () => zoomTo(plot, chart, ...whole(chart)), Escape: () => zoomTo(plot, chart, ...whole(chart)),
      };
      const act = acts[event.key];
      if (act === undefined || event.ctrlKey || event.metaKey || event.altKey || shown.length === 0) return;
      event.preventDefault();
      act();
    };
  }

  function draw() {
    for (const { plot } of drawn.splice(0)) plot.destroy();
    // All widths are read before anything is put in: else the whole page is laid out anew for each chart.
    const places = [...document.querySelectorAll('[data-chart]')].map((place) => ({ place, width: place.clientWidth }));
    // A tab that is not shown has no width: it is drawn when it is.
    places.filter(({ width }) => width > 0).forEach(({ place, width }) => {
      const [tab, index] = place.dataset.chart.split(' ');
      const chart = data.tabs[Number(tab)].charts[Number(index)];
      const tip = document.createElement('div');
      tip.className = 'tip';
      tip.hidden = true;
      const x = chart.bounds === null ? data.x : chart.bounds.map((_, bucket) => bucket);
      const plot = new uPlot(options(chart, width, tip), [x, ...linesOf(chart).map((line) => line.values)], place);
      plot.over.append(tip);
      plot.setScale('x', { min: whole(chart)[0], max: whole(chart)[1] });
      if (zoomed !== null && chart.bounds === null) plot.setScale('x', { min: zoomed[0], max: zoomed[1] });
      // Who filters a line out by the keyboard finds its name as a button.
      for (const label of place.querySelectorAll('.u-legend .u-series > th')) {
        label.tabIndex = 0;
        label.addEventListener('keydown', (event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); event.stopPropagation(); label.click(); } });
      }
      place.onkeydown = keys(chart, plot);
      place.onblur = () => { tip.hidden = true; };
      drawn.push({ plot, chart });
    });
  }

  // One tab at a time; without this script all of them stand open.
  const panels = [...document.querySelectorAll('[data-tab]')];
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Kinds of calls');
  list.className = 'tabs screen';
  const buttons = panels.map((panel, index) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.id = 'tab-' + index;
    button.textContent = panel.dataset.tab;
    panel.id = 'panel-' + index;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', button.id);
    button.setAttribute('role', 'tab');
    button.setAttribute('aria-controls', panel.id);
    button.addEventListener('click', () => { choose(index); draw(); });
    button.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const next = (index + step + panels.length) % panels.length;
      choose(next);
      draw();
      buttons[next].focus();
    });
    return button;
  });
  let chosen = 0;
  function choose(index) {
    chosen = index;
    panels.forEach((panel, each) => { panel.hidden = each !== index; });
    buttons.forEach((button, each) => {
      button.setAttribute('aria-selected', String(each === index));
      button.tabIndex = each === index ? 0 : -1;
    });
  }
  if (panels.length > 1) {
    list.append(...buttons);
    document.getElementById('charts').prepend(list);
    choose(0);
    // Paper has no tabs.
    addEventListener('beforeprint', () => { for (const panel of panels) panel.hidden = false; draw(); });
    addEventListener('afterprint', () => { choose(chosen); draw(); });
  }
  if (fromPlan !== null) fromPlan.addEventListener('change', draw);

  // At once: whoever prints or takes a picture waits for no frame.
  let width = document.body.clientWidth;
  draw();
  new ResizeObserver(() => {
    if (document.body.clientWidth === width) return;
    width = document.body.clientWidth;
    requestAnimationFrame(draw);
  }).observe(document.body);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  // Paper is white and has a width of its own.
  matchMedia('print').addEventListener('change', draw);
})();
`;

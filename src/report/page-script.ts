/** Draws the charts of report.html from its data block. Plain browser JavaScript; nothing here holds data. */
export const PAGE_SCRIPT = `(() => {
  const data = JSON.parse(document.getElementById('chart-data').textContent);
  const charts = data.kinds.flatMap((kind) => kind.charts);
  const drawn = [];
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const number = (value) => value == null ? '–' : value >= 100 ? value.toFixed(0) : value.toFixed(2);
  const height = 150;

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

  function options(chart, width) {
    const axis = { stroke: color('--muted'), grid: { stroke: color('--line'), width: 1 }, ticks: { show: false }, font: '11px system-ui' };
    return {
      width, height,
      hooks: { drawClear: [shade] },
      cursor: { sync: { key: 'run' }, drag: { x: true, y: false } },
      scales: { x: { time: false }, y: { range: (_, low, high) => [0, high > 0 ? high * 1.1 : 1] } },
      axes: [
        { ...axis, size: 26, values: (_, ticks) => ticks.map((tick) => tick + ' s') },
        { ...axis, size: 54, values: (_, ticks) => ticks.map((tick) => String(tick)) },
      ],
      series: [
        { label: 'at', value: (_, value) => value == null ? '–' : value + ' s' },
        ...chart.lines.map((line) => ({
          label: line.label,
          stroke: color(line.color),
          width: 1.5,
          spanGaps: true,
          ...(chart.stepped ? { paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } } : { points: { size: 4 } }),
          value: (_, value) => value == null ? '–' : number(value) + ' ' + chart.unit,
        })),
      ],
    };
  }

  function draw() {
    for (const plot of drawn.splice(0)) plot.destroy();
    document.querySelectorAll('[data-chart]').forEach((place) => {
      const chart = charts[Number(place.dataset.chart)];
      drawn.push(new uPlot(options(chart, place.clientWidth), [data.x, ...chart.lines.map((line) => line.values)], place));
    });
  }

  // At once: whoever prints or takes a picture waits for no frame.
  let width = document.body.clientWidth;
  draw();
  new ResizeObserver(() => {
    if (document.body.clientWidth === width) return;
    width = document.body.clientWidth;
    requestAnimationFrame(draw);
  }).observe(document.body);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
})();
`;

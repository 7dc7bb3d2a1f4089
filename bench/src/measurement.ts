/** One measured value, as a row of the table and an entry of the JSON file. */
export interface Measurement {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** The maximum of the value; undefined for a value that only explains others. */
  readonly bar: number | undefined
  readonly ok: boolean
  /** Wall and cpu seconds behind the value, for readers. */
  readonly basis: string
}

/**
 * Makes measurements and prints each at once. When the work fails, that is reported under its name, and the caller goes on.
 */
export type Attempt = (what: string, work: () => Promise<readonly Measurement[]>) => Promise<void>

/** The cost of one piece of work. */
export interface Cost {
  /** Seconds on the clock. */
  readonly wall: number
  /** Seconds of all processes that worked on it, user and system. */
  readonly cpu: number
}

/** A value that must not exceed its bar. */
export function atMost(name: string, value: number, unit: string, bar: number, basis: string): Measurement {
  return { name, value, unit, bar, ok: value <= bar, basis }
}

/** A value that explains others and has no bar. */
export function information(name: string, value: number, unit: string, basis: string): Measurement {
  return { name, value, unit, bar: undefined, ok: true, basis }
}

/** A value that this machine cannot give, which is said at once and in the table. */
export function notMeasured(name: string, reason: string): Measurement {
  process.stderr.write(`${name} is NOT MEASURED: ${reason}\n`)
  return information(name, 0, 'NOT MEASURED', reason)
}

/** The cost whose wall time is the middle one. */
export function median(costs: readonly Cost[]): Cost {
  const sorted = costs.toSorted((a, b) => a.wall - b.wall)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (middle === undefined) throw new Error('a median needs at least one cost')
  return middle
}

/** `1.234 s wall, 0.567 s cpu`. */
export function costText({ wall, cpu }: Cost): string {
  return `${wall.toFixed(3)} s wall, ${cpu.toFixed(3)} s cpu`
}

/** One measurement as a line, as soon as it is there: `name: 3 ms, at most 4; basis`. */
export function measurementLine({ name, value, unit, bar, ok, basis }: Measurement): string {
  const judged = bar === undefined ? '' : `, ${ok ? 'at most' : 'MISSED: at most'} ${shortNumber(bar)}`
  return `  ${name}: ${`${shortNumber(value)} ${unit}`.trimEnd()}${judged}; ${basis}`
}

/** The measurements as an aligned table. */
export function measurementTable(measurements: readonly Measurement[]): string {
  const rows = [
    ['MEASURE', 'VALUE', 'BAR', '', 'BASIS'],
    ...measurements.map(({ name, value, unit, bar, ok, basis }) => [
      name,
      `${shortNumber(value)} ${unit}`,
      bar === undefined ? '' : `≤ ${shortNumber(bar)}`,
      bar === undefined ? '' : ok ? 'ok' : 'MISSED',
      basis,
    ]),
  ]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function shortNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(3)
}

const secondsByUnit = new Map([
  ['ns', 1e-9],
  ['us', 1e-6],
  ['µs', 1e-6],
  ['μs', 1e-6],
  ['ms', 1e-3],
  ['s', 1],
  ['m', 60],
  ['h', 3600],
])

/** Reads a positive duration as Go writes it, for example `1h30m`, in seconds; undefined for anything else. */
export function goDurationSeconds(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d*)?(?:ns|[uµμm]?s|m|h))+$/.test(text)) return undefined
  const parts = text.matchAll(/([\d.]+)([a-zµμ]+)/g)
  const seconds = [...parts].reduce(
    (sum, [, amount, unit = '']) => sum + Number(amount) * (secondsByUnit.get(unit) ?? NaN),
    0,
  )
  return seconds > 0 && Number.isFinite(seconds) ? seconds : undefined
}

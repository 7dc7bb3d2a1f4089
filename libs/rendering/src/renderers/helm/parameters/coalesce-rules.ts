import gte from 'semver/functions/gte.js'
import { copyMap } from '@wadi/params/values/value-tree.ts'
import { type Value, type ValueMap, isValueMap } from '@wadi/params/values/value.ts'

/**
 * The rules of a version of Helm for nulls. `removed`: a null that is given takes away whatever is at its place, itself included.
 * `kept`: it stays where the chart has nothing to take away. `cleaned`: besides, nulls of charts are left out, and those for
 * subcharts do not take away what the subcharts have.
 */
type NullRules = 'removed' | 'kept' | 'cleaned'

/** The rules of a version such as `v4.1.4`. */
export function nullRulesOf(version: string): NullRules {
  if (gte(version, '4.2.0')) return 'cleaned'
  const isOld = gte(version, '4.0.0') ? !gte(version, '4.1.3') : !gte(version, '3.20.1')
  return isOld ? 'removed' : 'kept'
}

/** A chart with its own values. */
export interface ChartOfValues {
  /** The key of its values in those of the chart above. */
  readonly name: string
  readonly values: ValueMap
  /** True when it lists dependencies, as Helm then puts the values of its subcharts into its own before anything is given. */
  readonly listsDependencies: boolean
  readonly subcharts: readonly ChartOfValues[]
}

/** The values that a chart sees, without those for it that Helm makes up of `global`. */
export function coalescedValues(chart: ChartOfValues, given: ValueMap, rules: NullRules): ValueMap {
  const values = new Coalescing(rules).chart(prepared(chart, rules), copyMap(given), false)
  leaveOutGlobals(chart, values, [])
  return values
}

/** Leaves out of the `global` of subcharts what that of a chart above decides, which is all that it names, be it with null. */
function leaveOutGlobals({ subcharts }: ChartOfValues, values: Values, above: readonly ValueMap[]): void {
  const own = values.get('global')
  if (isValueMap(own)) {
    const left = copyMap(own)
    for (const deciding of above) leaveOut(left, deciding)
    setUnlessEmptied(values, 'global', left)
  }
  const deciding = isValueMap(own) ? [...above, own] : above
  for (const subchart of subcharts) {
    const part = values.get(subchart.name)
    if (!isValueMap(part)) continue
    const changed = new Map(part)
    leaveOutGlobals(subchart, changed, deciding)
    setUnlessEmptied(values, subchart.name, changed)
  }
}

function leaveOut(values: Values, deciding: ValueMap): void {
  for (const [key, value] of deciding) {
    const own = values.get(key)
    if (isValueMap(own) && isValueMap(value)) {
      const left = copyMap(own)
      leaveOut(left, value)
      setUnlessEmptied(values, key, left)
    } else values.delete(key)
  }
}

function setUnlessEmptied(values: Values, key: string, left: Values): void {
  const own = values.get(key)
  if (left.size === 0 && isValueMap(own) && own.size > 0) values.delete(key)
  else values.set(key, left)
}

function prepared(chart: ChartOfValues, rules: NullRules): ChartOfValues {
  const own = { ...chart, subcharts: chart.subcharts.map((subchart) => prepared(subchart, rules)) }
  return chart.listsDependencies ? { ...own, values: new Coalescing(rules).chart(own, new Map(), true) } : own
}

type Values = Map<string, Value>

/** One pass of Helm over a chart's values; maps that are given to it change. */
class Coalescing {
  readonly #rules: NullRules

  constructor(rules: NullRules) {
    this.#rules = rules
  }

  /** @param keepsNulls whether nulls stay, for a later pass */
  chart(chart: ChartOfValues, values: Values, keepsNulls: boolean): Values {
    for (const [key, own] of copyMap(chart.values)) this.#value(chart, values, key, own, keepsNulls)
    for (const subchart of chart.subcharts) {
      const given = values.get(subchart.name) ?? new Map<string, Value>()
      // Anything else is an error of the render.
      if (isValueMap(given)) values.set(subchart.name, this.chart(subchart, new Map(given), keepsNulls))
    }
    return values
  }

  #value(chart: ChartOfValues, values: Values, key: string, own: Value, keepsNulls: boolean): void {
    const isCleaned = this.#rules === 'cleaned'
    if (!values.has(key)) {
      if (keepsNulls || !isCleaned) values.set(key, own)
      else if (own !== null) values.set(key, withoutNulls(own))
      return
    }
    const given = values.get(key)
    if (given === null && !keepsNulls) values.delete(key)
    if (!isValueMap(given) || !isValueMap(own)) return
    const keeps = keepsNulls || chart.subcharts.some((subchart) => subchart.name === key)
    const lower = isCleaned && !keeps ? withoutNulls(own) : own
    values.set(key, this.#tables(given, isValueMap(lower) ? lower : new Map(), keeps))
  }

  #tables(upper: ValueMap, lower: ValueMap, keepsNulls: boolean): ValueMap {
    const merged = new Map(upper)
    for (const [key, value] of upper) {
      const below = lower.get(key)
      const takesAway = this.#rules === 'removed' || (below !== undefined && below !== null)
      if (value === null && !keepsNulls && takesAway) merged.delete(key)
      else if (isValueMap(value) && isValueMap(below)) merged.set(key, this.#tables(value, below, keepsNulls))
    }
    for (const [key, value] of lower) if (!upper.has(key)) merged.set(key, value)
    return merged
  }
}

function withoutNulls(value: Value): Value {
  if (!isValueMap(value)) return value
  const left = [...value].filter(([, member]) => member !== null)
  return new Map(left.map(([key, member]) => [key, withoutNulls(member)]))
}

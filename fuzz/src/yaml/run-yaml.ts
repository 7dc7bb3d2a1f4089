import { seededRandom } from '@wadi/testing/seeded-random.ts'
import { readWithGo } from '@wadi/testing/yaml-decoders/read-with-go.ts'
import { type Difference, differenceOf } from './compare-readings.ts'
import { generateYaml } from './generate-yaml.ts'
import { mutateYaml } from './mutate-yaml.ts'

/** A text that Wadi reads otherwise than Go. */
export interface YamlFinding extends Difference {
  readonly text: string
}

const batch = 2_000

/**
 * Reads many texts with Wadi and with Go's libraries: made ones, those given, and both with changes. Equal seeds give equal texts.
 * @param seeds texts of YAML, such as those of a repository
 */
export function* runYaml(seed: number, inputs: number, seeds: readonly string[]): Generator<YamlFinding> {
  for (let from = 0; from < inputs; from += batch) {
    const texts = Array.from({ length: Math.min(batch, inputs - from) }, (_, index) =>
      textAt(seed, from + index, seeds),
    )
    const readings = readWithGo(texts)
    for (const [index, text] of texts.entries()) {
      const go = readings[index]
      if (go === undefined) throw new Error('Go gave too few answers')
      const difference = differenceOf(text, go)
      if (difference !== undefined) yield { ...difference, text }
    }
  }
}

function textAt(seed: number, index: number, seeds: readonly string[]): string {
  const known = seeds[index]
  if (known !== undefined) return known
  const random = seededRandom(seed * 1_000_003 + index)
  const base =
    seeds.length > 0 && random.chance(0.4)
      ? excerpt(random.pick(seeds), random.below(1_000_000))
      : generateYaml(random)
  return random.chance(0.3) ? base : mutateYaml(base, generateYaml(random), random)
}

const maxLines = 60

/** A few lines of a long text, as short ones are read faster and fail at more places. */
function excerpt(text: string, choice: number): string {
  const lines = text.split('\n')
  if (lines.length <= maxLines) return text
  const start = choice % (lines.length - maxLines)
  return `${lines.slice(start, start + maxLines).join('\n')}\n`
}

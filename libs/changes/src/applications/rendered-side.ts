import { isLeftOut } from '@wadi/hydration/manifest-files.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import { maskRandom } from '@wadi/manifests/random-fields.ts'
import type { Layout } from '@wadi/resources/application/layout.ts'
import type { FileBeside } from '../objects/compare-manifests.ts'
import type { ComparedSide } from './application-changes.ts'

/** The values that differ from render to render. */
interface RandomParts {
  readonly random: Parameters<typeof maskRandom>[0]
}

/** A render with its objects as JSON texts. */
interface RenderedTexts {
  readonly manifests: readonly string[]
  readonly files: readonly FileBeside[]
  readonly record: RandomParts
}

/** Returns a render as its directory would hold it, with what differs at each render masked. */
export function renderedSide({ manifests, files, record }: RenderedTexts, layout: Layout): ComparedSide {
  const objects = manifests.map((text) => manifestFromJson(text))
  return maskedSide({ manifests: objects.filter((object) => !isLeftOut(object, layout)), files }, record)
}

/** Returns a directory with what differs from render to render of it masked. */
export function maskedSide<Side extends ComparedSide>(side: Side, { random }: RandomParts): Side {
  return { ...side, manifests: side.manifests.map(maskRandom(random)) }
}

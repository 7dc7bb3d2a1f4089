import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { objectAt } from '@wadi/fields/json-fields.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { editYaml } from '@wadi/rendering/parameters/yaml-edit/edit-yaml.ts'
import { lineEnd, lineStart } from '@wadi/rendering/parameters/yaml-edit/yaml-splice.ts'
import { collectionOf, yamlRoots } from '@wadi/rendering/parameters/yaml-edit/yaml-tokens.ts'
import type { Application } from '@wadi/resources/application/application.ts'
import { plainSources } from '../applications/plain-sources.ts'
import { maxFileBytes } from '../diff/local/application-files.ts'
import type { FileChange } from './file-change.ts'
import { type FoundObject, specPathOf } from './found-objects.ts'
import { hasContent, hydratedSpec, type SourceChange, writtenSources } from './hydrated-spec.ts'
import type { ImportContext } from './import-context.ts'
import type { PlanContext } from './override-readers.ts'
import { entryAt } from './object-places.ts'
import { type MovedOptions, withOptionsInGit } from './override-files.ts'

/** The changes of a source and of files in its directory. */
interface MovedParameters {
  readonly changes: readonly SourceChange[]
  readonly files: readonly FileChange[]
  /** Sentences on options that stay in the Application. */
  readonly notes: readonly string[]
}

const blocks = ['helm', 'kustomize', 'directory', 'plugin'] as const

/** Returns the changes of an Application whose options stay where they are. */
export function stayingParameters(changes: readonly SourceChange[]): MovedParameters {
  return { changes, files: [], notes: [] }
}

/**
 * Moves the options of the one source of an Application into a file of its directory. Where that is not possible, they stay and a
 * note says why.
 * @param changes the fields that the source gets otherwise
 */
export async function movedParameters(
  found: FoundObject,
  application: Application,
  changes: readonly SourceChange[],
  context: PlanContext,
): Promise<MovedParameters> {
  const spec = objectAt(found.manifest, 'spec') as Manifest
  const { sources } = writtenSources(spec)
  try {
    if (sources.length !== 1) throw new InvalidInputError('it has several sources')
    const source = withChanges(spec, changes)
    const used = blocks.filter((block) => hasContent(source[block]))
    if (used.length === 0) return stayingParameters(changes)
    const options = await Promise.all(used.map((block) => movedOptions(found, source, block, context)))
    const plain = changes.filter(({ path: [block = ''] }) => !blocks.some((name) => name === block))
    const moved = [...plain, ...used.map((block) => ({ position: 0, path: [block], value: undefined }))]
    // A block that only the change makes is in no text.
    const written = moved.filter(
      ({ path: [block = ''], value }) => value !== undefined || sources[0]?.[block] !== undefined,
    )
    const [before, after] = [source, withChanges(spec, written)].map(
      (one) => plainSources({ source: one })[0],
    )
    if (!before || !after) throw new InvalidInputError('its source is not written out')
    const owned = { owner: found.manifest, application }
    const file = await withOptionsInGit(owned, [before, after], options, context)
    return { changes: written, files: [file], notes: [] }
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    return {
      ...stayingParameters(changes),
      notes: [`its parameters stay in the Application: ${error.message}`],
    }
  }
}

/** The source of a spec with changes. */
function withChanges(spec: Manifest, changes: readonly SourceChange[]): Manifest {
  const syncSource = { targetBranch: '', path: '' }
  const hydrator = objectAt(hydratedSpec(spec, changes, syncSource), 'sourceHydrator')
  return (hydrator['drySource'] ?? {}) as Manifest
}

async function movedOptions(
  { manifest, origin }: FoundObject,
  source: Manifest,
  block: string,
  { side }: ImportContext,
): Promise<MovedOptions> {
  const value = objectAt(source, block) as Manifest
  if (!origin) return { block, value }
  const text = (await side.tree.read(origin.file, maxFileBytes)).toString()
  const spec = entryAt(yamlRoots(text), origin.place, specPathOf(manifest))
  const own = collectionOf(spec)?.entries.find(({ key }) => key === 'source')
  const map = collectionOf(own?.value)
  const entry = map?.entries.find(({ key }) => key === block)
  if (!map || map.isFlow || !entry || collectionOf(entry.value)?.isFlow !== false) return { block, value }
  const lines = text.slice(lineStart(text, entry.start), lineEnd(text, entry.end)).replaceAll('\r\n', '\n')
  const dedented = lines.replaceAll(new RegExp(`^ {${map.column}}`, 'gm'), '')
  const added = Object.entries(value).filter(([name]) =>
    collectionOf(entry.value)?.entries.every(({ key }) => key !== name),
  )
  const whole = dedented.endsWith('\n') ? dedented : `${dedented}\n`
  return {
    block,
    value,
    text: added.reduce((before, [name, one]) => editYaml(before, { path: [block, name], value: one }), whole),
  }
}

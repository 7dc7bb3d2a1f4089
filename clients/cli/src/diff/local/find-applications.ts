import { type PlacedApplication, placedApplication } from '@wadi/changes/applications/placed-application.ts'
import { DomainError, errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { type ApplicationFiles, maxFileBytes } from './application-files.ts'
import { renderedChildren, withNamespace } from './application-children.ts'
import type { DrySide } from './dry-side.ts'
import { type FoundApplications, revisionsIn } from './local-applications.ts'
import type { LocalRenderer } from './local-renderer.ts'
import { objectPlace } from './object-place.ts'
import type { SetExpansion } from './set-expansion.ts'
import type { SourcesElsewhere } from './source-files.ts'

/** Renders and expands the objects that are found. */
export interface ApplicationFinder {
  readonly renderer: LocalRenderer
  readonly sets: () => Promise<SetExpansion>
  readonly elsewhere: SourcesElsewhere
}

/** An object that may be, or make, Applications. */
interface Found {
  readonly manifest: Manifest
  /** The object as text. */
  readonly key: string
  /** The name of its maker; absent for an object of a file. */
  readonly maker?: string
  /** The object of a file that it is, or comes from. */
  readonly root: { readonly file: string; readonly key: string }
}

/** Most objects of one repository, so that Applications that make one another come to an end. */
const maxObjects = 20_000

/**
 * Finds the Applications that take their dry source from a repository: those in its YAML and JSON files, those that its
 * ApplicationSets make, and those among the manifests of its Applications.
 */
export async function findApplications(
  side: DrySide,
  files: ApplicationFiles,
  finder: ApplicationFinder,
): Promise<FoundApplications> {
  return new Search(side, finder, files).run()
}

class Search {
  readonly #side: DrySide
  readonly #finder: ApplicationFinder
  readonly #files: ApplicationFiles
  readonly #waiting: Found[]
  readonly #seen = new Set<string>()
  readonly #taken: { application: PlacedApplication; found: Found }[] = []
  readonly #incomplete = new Map<string, string | undefined>()
  /** Files from which Applications are rendered, and the objects that come out as they are in their file. */
  readonly #templates = new Set<string>()
  readonly #applied = new Set<string>()
  readonly #warnings: string[]
  readonly #invalid = new Map<string, string>()

  constructor(side: DrySide, finder: ApplicationFinder, files: ApplicationFiles) {
    this.#side = side
    this.#finder = finder
    this.#files = files
    this.#waiting = files.objects.map(({ path, manifest: plain }) => {
      const manifest = withNamespace(plain)
      const key = JSON.stringify(manifest)
      return { manifest, key, root: { file: path, key } }
    })
    this.#warnings = [...files.warnings]
  }

  async run(): Promise<FoundApplications> {
    for (let found = this.#waiting.shift(); found; found = this.#waiting.shift()) {
      this.#side.signal.throwIfAborted()
      if (this.#seen.size >= maxObjects) {
        this.#warnings.push(`only the first ${maxObjects} Applications and ApplicationSets were looked at`)
        break
      }
      const isNew = !this.#seen.has(found.key)
      this.#seen.add(found.key)
      if (found.maker !== undefined) this.#applied.add(found.key)
      if (found.manifest['kind'] === 'Application' && !this.#take(found)) continue
      if (isNew) await this.#follow(found)
    }
    const applications = new Map<string, PlacedApplication>()
    const makers = new Map<string, string>()
    const roots = new Map<string, string>()
    const founds = new Map<string, Found>()
    for (const { application, found } of this.#taken) {
      const { file, key } = found.root
      // What is in a file that others are rendered from, such as a base of Kustomize, is not applied itself.
      if (this.#templates.has(file) && !this.#applied.has(key)) continue
      const other = founds.get(application.key)
      if (other && other.key !== found.key) await this.#warnOfTwo(application.key, other, found)
      founds.set(application.key, found)
      applications.set(application.key, application)
      roots.set(application.key, file)
      if (found.maker === undefined) makers.delete(application.key)
      else makers.set(application.key, found.maker)
    }
    const files = { roots, invalid: this.#invalid, unreadable: this.#files.unreadable }
    return {
      applications,
      makers,
      incomplete: this.#incomplete,
      warnings: [...new Set(this.#warnings)],
      files,
    }
  }

  /** A server has one Application of a name, so that one of two would replace the other. */
  async #warnOfTwo(key: string, one: Found, other: Found): Promise<void> {
    const placeOf = async ({ manifest, maker, root: { file } }: Found): Promise<string> => {
      if (maker !== undefined) return `${maker} of ${file}`
      return objectPlace((await this.#side.tree.read(file, maxFileBytes)).toString(), file, manifest)
    }
    const places = `${await placeOf(one)} and in ${await placeOf(other)}`
    this.#warnings.push(`Application ${key} is defined in ${places}; only the latter is compared`)
  }

  /** Keeps an Application that is hydrated from the repository; false when it cannot be read. */
  #take(found: Found): boolean {
    try {
      const application = placedApplication(found.manifest)
      if (application && revisionsIn(this.#side.repoUrl, application).length > 0) {
        this.#taken.push({ application, found })
      }
      return true
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error
      const place = found.maker ?? found.root.file
      this.#invalid.set(nameOf(found.manifest), `${place}: ${errorMessage(error)}`)
      return false
    }
  }

  /** Looks for what an object makes. */
  async #follow({ manifest, root }: Found): Promise<void> {
    const maker = `${textAt(manifest, 'kind')} ${nameOf(manifest)}`
    try {
      const children =
        manifest['kind'] === 'ApplicationSet'
          ? await this.#expand(manifest, maker)
          : await this.#render(manifest)
      for (const child of children) {
        this.#waiting.push({ manifest: child, key: JSON.stringify(child), maker, root })
      }
    } catch (error) {
      if (!(error instanceof DomainError) || error.name === 'CanceledError') throw error
      this.#incomplete.set(maker, error.message)
    }
  }

  async #expand(set: Manifest, maker: string): Promise<readonly Manifest[]> {
    const { applications, undecided } = await (await this.#finder.sets()).expand(set, this.#side)
    if (undecided.length > 0) {
      this.#incomplete.set(maker, undefined)
      this.#warnings.push(
        `${maker}: what ${undecided.join(' and ')} makes is not compared, as git does not decide it`,
      )
    }
    return applications.map((application) => manifestFromJson(JSON.stringify(application)))
  }

  async #render(application: Manifest): Promise<readonly Manifest[]> {
    const { children, files } = await renderedChildren(application, this.#side, {
      ...this.#finder,
      files: this.#files,
    })
    for (const file of files) this.#templates.add(file)
    return children
  }
}

function nameOf(manifest: Manifest): string {
  return `${textAt(manifest, 'metadata', 'namespace')}/${textAt(manifest, 'metadata', 'name')}`
}

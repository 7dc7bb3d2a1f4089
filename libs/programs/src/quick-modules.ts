import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { registerHooks, type ResolveFnOutput } from 'node:module'
import { pathToFileURL } from 'node:url'

// A program of Wadi loads this first, by `--require`. It finds what the imports of hundreds of modules name without asking the file system
// several times for each, which takes a quarter of the processor time of a service's start (docs/decisions/0027-programs-start-from-a-small-process.md).
// Whatever the rules below do not cover, Node.js finds as ever.

/** The resolved imports, by the package that they are written in and their text. */
const found = new Map<string, ResolveFnOutput>()
/** The formats of modules, by address. */
const formats = new Map<string, string>()
/** The public files of our packages by their names. */
const packages = new Map<string, { root: string; files: Record<string, unknown> }>()
/** True for a directory in which the package.json of a package applies, by the directory's address. */
const plainDirectories = new Map<string, boolean>()

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL, conditions, importAttributes } = context
    if (
      parentURL === undefined ||
      specifier.startsWith('node:') ||
      !conditions.includes('import') ||
      Object.keys(importAttributes).length > 0
    ) {
      return next(specifier, context)
    }
    const ofNode = () => next(specifier, context)
    return specifier.startsWith('.')
      ? (besideModule(specifier, parentURL) ?? remember(ofNode()))
      : inPackage(specifier, parentURL, ofNode)
  },
})

/** A file beside a module of the same kind. */
function besideModule(specifier: string, parent: string): ResolveFnOutput | undefined {
  const format = formats.get(parent)
  // A module that ends in `.mjs` is one whatever its package says, and those beside it need not be.
  const ending =
    format === 'module' && parent.endsWith('.js') ? '.js' : format === 'module-typescript' ? '.ts' : undefined
  if (ending === undefined || !specifier.endsWith(ending)) return undefined
  const { href } = new URL(specifier, parent)
  // Packages of others may hold two kinds of modules, each in a directory with a package.json of its own.
  const root = packageOf(parent)
  if (format === 'module' && !(href.startsWith(root) && isPlain(directoryOf(href), root))) return undefined
  return remember({ url: href, format, shortCircuit: true })
}

function inPackage(specifier: string, parent: string, ofNode: () => ResolveFnOutput): ResolveFnOutput {
  const key = `${packageOf(parent)} ${specifier}`
  let resolved = found.get(key)
  if (resolved === undefined) {
    resolved = remember(publicFile(specifier) ?? { ...ofNode(), shortCircuit: true })
    found.set(key, resolved)
  }
  return resolved
}

/** A public file of one of our packages, such as `@wadi/errors/location.ts`. */
function publicFile(specifier: string): ResolveFnOutput | undefined {
  const [name, file] = /^(@wadi\/[^/]+)\/(.+\.ts)$/.exec(specifier)?.slice(1) ?? []
  if (name === undefined) return undefined
  let known = packages.get(name)
  if (known === undefined) packages.set(name, (known = readPackage(name)))
  const place = known.files[`./${file}`]
  if (typeof place !== 'string') return undefined
  return { url: new URL(place, known.root).href, format: 'module-typescript', shortCircuit: true }
}

function readPackage(name: string): { root: string; files: Record<string, unknown> } {
  const link = new URL(`../../../node_modules/${name}`, import.meta.url)
  if (!existsSync(link)) return { root: link.href, files: {} }
  const root = pathToFileURL(`${realpathSync(link)}/`)
  const { exports = {} }: { exports?: Record<string, unknown> } = JSON.parse(
    readFileSync(new URL('package.json', root), 'utf8'),
  )
  return { root: root.href, files: exports }
}

function remember(resolved: ResolveFnOutput): ResolveFnOutput {
  if (typeof resolved.format === 'string') formats.set(resolved.url, resolved.format)
  return resolved
}

/** The address of the directory of a module's package: ours have their modules in `src`, or have no directories. */
function packageOf(module: string): string {
  const others = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(module)
  if (others !== null) return others[0]
  const source = module.indexOf('/src/')
  return source === -1 ? directoryOf(module) : module.slice(0, source + 1)
}

function isPlain(directory: string, root: string): boolean {
  if (directory === root) return true
  let plain = plainDirectories.get(directory)
  if (plain === undefined) {
    plain = !existsSync(new URL('package.json', directory)) && isPlain(new URL('..', directory).href, root)
    plainDirectories.set(directory, plain)
  }
  return plain
}

function directoryOf(module: string): string {
  return module.slice(0, module.lastIndexOf('/') + 1)
}

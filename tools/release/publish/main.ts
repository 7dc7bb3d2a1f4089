import path from 'node:path'
import { parseArgs } from 'node:util'
import { publishRelease } from './publish-release.ts'

// `npm run release:publish -- VERSION [DIRECTORY] --npm URL --oci URL`: publishes what `npm run release` built, from dist/VERSION by default. Repeated, it continues.
const usage =
  'npm run release:publish -- 1.2.3 [DIRECTORY] --npm https://npm.example.com/ --oci https://oci.example.com/team/'
const root = path.resolve(import.meta.dirname, '../../..')
try {
  const { values, positionals } = parseArgs({
    options: { npm: { type: 'string' }, oci: { type: 'string' } },
    allowPositionals: true,
  })
  const [version = '', directory = path.join('dist', version)] = positionals
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`name a version: ${usage}`)
  const registries = { npm: registryUrl('npm', values.npm), oci: registryUrl('oci', values.oci) }
  await publishRelease(path.resolve(root, directory), version, registries, (line) => console.log(line))
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

function registryUrl(name: string, text = ''): URL {
  const url = URL.parse(text.endsWith('/') ? text : `${text}/`)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new Error(`--${name} must be a URL of http or https: ${usage}`)
  }
  return url
}

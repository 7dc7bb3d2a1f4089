import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { constants, zstdCompressSync } from 'node:zlib'
import { knownVersions } from '@wadi/gates/schemas/kubernetes/kubernetes-schemas.ts'
import { cutKubernetesSchemas } from './kubernetes-schemas/cut-schemas.ts'
import { readEnforcedRules } from './kubernetes-schemas/enforced-rules.ts'

// `node tools/write-kubernetes-schemas.ts [--check]`: writes the schemas of Kubernetes' own kinds that the gate `schemas` checks by, one
// file for each minor version. Has Go download the module k8s.io/kubernetes of each version, 20 MB.
// Which required fields and enumerations the API server enforces says tools/kubernetes-schemas/enforced-rules.txt, which
// tools/measure-kubernetes-rules.ts writes. With --check it only says which files would change.

/** The versions, and the SHA-256 of their modules: what Kubernetes publishes under a version does not change. */
const modules: Readonly<Record<string, string>> = {
  '1.30.14': '37f61393f5f6303eca578cb027b3d4b83bb4ac3916426ba6961a78cddf083815',
  '1.31.14': '823014fb3b8643f3ec52be922cabf0446e92423b2d8f40ffa0c1f5ff3fbe82e8',
  '1.32.13': '545b73e6a5df5b9db8c724e4d9b60d2c0c70f55e48de455a067c16f4f2dad86e',
  '1.33.13': 'cd4e4f983deae0fe76915c8d0ae4caf0c2d74c7f377b2e0cd27cc5ce3794b56d',
  '1.34.4': '6641440638f79b2115813c8f2ba26d35b2ab7fb4d8a5111fbee279d93abf1fcb',
  '1.35.4': '9fc1e1dc3b24a61495c578c5c631c45d74707dd415d748e13fc27441f44327a6',
  '1.36.3': '42944231bce5403ec572575f23d4306e88df359108774a6de35f41d2f9a13384',
  '1.37.2': 'dcfaeb46861398df1c931948c9775b31cbe6eba35cc97ed1bb87106ab7327b9e',
}

const target = path.resolve(import.meta.dirname, '../libs/gates/src/schemas/kubernetes/data')
const level = { params: { [constants.ZSTD_c_compressionLevel]: 19 } }

const run = promisify(execFile)

/** Downloads a version with Go and returns the directory of its files, below the given one. */
async function downloadModule(version: string, sum: string, cache: string): Promise<string> {
  const env = { ...process.env, GOMODCACHE: cache, GOFLAGS: '-modcacherw' }
  const module = `k8s.io/kubernetes@v${version}`
  const { stdout } = await run('go', ['mod', 'download', '-json', module], { cwd: cache, env })
  const { Zip, Dir }: { Zip: string; Dir: string } = JSON.parse(stdout)
  const found = createHash('sha256')
    .update(await readFile(Zip))
    .digest('hex')
  if (found !== sum) throw new Error(`${module} has the SHA-256 ${found}, not ${sum}`)
  return Dir
}

const minors = Object.keys(modules).map((version) => Number(version.split('.')[1]))
if (Math.min(...minors) !== knownVersions.oldest || Math.max(...minors) !== knownVersions.newest) {
  throw new Error('the versions here and knownVersions of kubernetes-schemas.ts must be the same')
}
const directory = await mkdtemp(path.join(tmpdir(), 'wadi-kubernetes-schemas-'))
try {
  const rules = await readEnforcedRules()
  for (const [version, sum] of Object.entries(modules)) {
    const cache = await mkdtemp(path.join(directory, 'module-'))
    const files = await downloadModule(version, sum, cache)
    const schemas = cutKubernetesSchemas(
      await readFile(path.join(files, 'api/openapi-spec/swagger.json'), 'utf8'),
      await readFile(path.join(files, 'pkg/generated/openapi/zz_generated.openapi.go'), 'utf8'),
      rules,
    )
    await rm(cache, { recursive: true })
    const content = zstdCompressSync(JSON.stringify(schemas), level)
    const file = path.join(target, `${version.replace(/\.\d+$/, '')}.json.zst`)
    const isEqual = content.equals(await readFile(file).catch(() => Buffer.alloc(0)))
    console.log(`${isEqual ? 'same' : 'new'}  ${path.basename(file)}  ${content.length} bytes`)
    if (process.argv.includes('--check')) process.exitCode = isEqual ? process.exitCode : 1
    else await writeFile(file, content)
  }
} finally {
  await rm(directory, { recursive: true })
}

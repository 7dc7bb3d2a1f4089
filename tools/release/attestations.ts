import { execFileSync } from 'node:child_process'
import { mkdtempDisposable, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { signedEnvelope } from '@wadi/signatures/attestations/envelope.ts'
import { provenanceType, statementType } from '@wadi/signatures/attestations/statement.ts'
import { openSigningKeys } from '@wadi/signatures/signing/signing-keys.ts'
import { sshPem } from '@wadi/signatures/ssh-public-key.ts'
import { attestationFile } from './attestation-file.ts'
import { verifiedChecksums } from './checksums.ts'
import { imageMaterials } from './image-materials.ts'
import { registryContents } from './publish/registry-contents.ts'
import { sha256Digest } from './publish/oci-repository.ts'

const unsignedFile = 'statements.jsonl'
const keyFile = 'release-key.pem'

/** A file of a release, or a tag of it in an OCI registry. */
interface Subject {
  readonly name: string
  readonly digest: { readonly sha256: string }
}

/**
 * Writes what made the files of a release, and the packages in them, signed by the key in `WADI_RELEASE_KEY_PATH` if there is one.
 * @param environment that of the workflow, if one runs, by which it names itself
 */
export async function attestRelease(
  root: string,
  version: string,
  directory: string,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const { WADI_RELEASE_KEY_PATH: keyPath, WADI_RELEASE_KEY_PASSPHRASE_FILE: passphraseFile } = environment
  const statements = await releaseStatements(root, version, directory, environment)
  const write = (name: string, text: string) => writeFile(path.join(directory, name), text)
  for (const name of [attestationFile, unsignedFile, keyFile]) {
    await rm(path.join(directory, name), { force: true })
  }
  if (keyPath === undefined) {
    console.error('release: no key is in WADI_RELEASE_KEY_PATH: nothing is signed')
    await write(unsignedFile, statements.map((statement) => `${JSON.stringify(statement)}\n`).join(''))
    return
  }
  const key = {
    setting: 'WADI_RELEASE_KEY_PATH',
    keyPath,
    passphraseFile,
    agentSocket: undefined,
    projects: [],
    repositories: [],
    isFor: () => true,
  }
  await using keys = await openSigningKeys([key], (message) => console.error(`release: ${message}`))
  const signer = keys.signerOf('', '')
  const lines: string[] = []
  for (const statement of statements) lines.push(`${await signedEnvelope(statement, signer)}\n`)
  await write(attestationFile, lines.join(''))
  const pem = sshPem(signer.key.publicKey)
  if (pem !== undefined) await write(keyFile, pem)
}

async function releaseStatements(
  root: string,
  version: string,
  directory: string,
  environment: NodeJS.ProcessEnv,
): Promise<object[]> {
  const digests = await verifiedChecksums(directory)
  const files = [...digests].map(([name, sha256]) => ({ name, digest: { sha256 } }))
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-image-'))
  const contents = await registryContents(directory, version, digests, scratch.path)
  const tagOf = ({ repository, content }: (typeof contents)[number]) => ({
    name: `${repository}:${version}`,
    digest: { sha256: sha256Digest(content.manifest.bytes).slice('sha256:'.length) },
  })
  const image = contents.find(({ kind }) => kind === 'image')
  const packed = files.filter(({ name }) => /^wadi-\d.*\.(?:tgz|tar\.gz)$/.test(name))
  const materials = await readFile(path.join(directory, `wadi-${version}.cdx.json`), 'utf8')
  const statements = [
    provenance(root, version, [...files, ...contents.map(tagOf)], environment),
    billOf(packed, JSON.parse(materials)),
  ]
  if (image === undefined) return statements
  return [...statements, billOf([tagOf(image)], await imageMaterials(root, version, scratch.path))]
}

function billOf(subject: readonly Subject[], materials: object): object {
  return {
    _type: statementType,
    subject,
    predicateType: 'https://cyclonedx.org/bom',
    predicate: materials,
  }
}

/** Returns a statement with SLSA provenance. */
function provenance(
  root: string,
  version: string,
  subject: readonly Subject[],
  { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository }: NodeJS.ProcessEnv,
): object {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const home = server && repository ? `${server}/${repository}` : undefined
  return {
    _type: statementType,
    subject,
    predicateType: provenanceType,
    predicate: {
      buildDefinition: {
        buildType: 'https://wadi.dev/release/v1',
        externalParameters: { command: `npm run release -- ${version}` },
        resolvedDependencies: [
          { ...(home !== undefined && { uri: `git+${home}` }), digest: { gitCommit: commit } },
        ],
      },
      runDetails: {
        builder: { id: home === undefined ? 'https://wadi.dev/builders/own-machine' : `${home}/actions` },
      },
    },
  }
}

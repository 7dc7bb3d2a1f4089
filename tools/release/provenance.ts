import { execFileSync } from 'node:child_process'
import { signedEnvelope } from '@wadi/signatures/attestations/envelope.ts'
import { provenanceType, statementType } from '@wadi/signatures/attestations/statement.ts'
import { openSigningKeys } from '@wadi/signatures/signing/signing-keys.ts'

/**
 * Returns a statement with SLSA provenance about the files of a release.
 * @param digests their SHA-256, by name
 * @param environment that of the workflow, if one runs, by which it names itself
 */
export function releaseProvenance(
  root: string,
  version: string,
  digests: ReadonlyMap<string, string>,
  { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository }: NodeJS.ProcessEnv,
): object {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const home = server && repository ? `${server}/${repository}` : undefined
  return {
    _type: statementType,
    subject: [...digests].map(([name, sha256]) => ({ name, digest: { sha256 } })),
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

/**
 * Returns a statement in a signed envelope (DSSE), one line of JSON.
 * @param keyPath a file with an OpenPGP or SSH key; its passphrase is in `passphraseFile`
 */
export async function signStatement(
  statement: object,
  keyPath: string,
  passphraseFile: string | undefined,
): Promise<string> {
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
  return `${await signedEnvelope(statement, keys.signerOf('', ''))}\n`
}

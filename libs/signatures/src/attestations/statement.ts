import { isJsonObject } from '@wadi/fields/json-object.ts'
import { listAt, objectAt, textAt } from '@wadi/fields/json-fields.ts'

/** The type of in-toto statements. */
export const statementType = 'https://in-toto.io/Statement/v1'

/** The type of predicates that say how something was made. */
export const provenanceType = 'https://slsa.dev/provenance/v1'

/** The type of predicates that say which checks passed. */
export const testResultType = 'https://in-toto.io/attestation/test-result/v0.1'

/** The kind of builds that hydrate a branch. */
export const hydrationBuildType = 'https://wadi.dev/hydration/v1'

const builderPrefix = 'https://wadi.dev/installations/'

/** The identity of an installation as a builder; one without an id is `unknown`. */
export function builderId(installation: string): string {
  return `${builderPrefix}${installation || 'unknown'}`
}

/** One or more digests by their algorithms. */
export type Digests = Readonly<Record<string, string>>

/** A statement about a hydrated commit, as it says itself. Absent fields are empty. */
export interface HydrationStatement {
  readonly predicateType: string
  /** The hydrated commit. */
  readonly commit: string
  /** The directories that its run rendered, by their paths; `.` is the root. */
  readonly directories: ReadonlyMap<string, Digests>
  readonly repository: string
  /** The branch of the commit; of checks the name of the subject. */
  readonly branch: string
  readonly syncBranch: string
  /** The id of the installation. */
  readonly installation: string
  /** The SHA-256 of the programs that rendered, by `<name> <version>`. */
  readonly tools: ReadonlyMap<string, string>
  /** Of checks: `PASSED`, `WARNED` or `FAILED`. */
  readonly result: string
  /** Of checks: the names of those that passed, and of those that warned. */
  readonly passedTests: readonly string[]
  readonly warnedTests: readonly string[]
}

/** The name of a check of a directory: that of a gate, or a rule of it that found something. */
export function testName(directory: string, test: string): string {
  return `${directory}: ${test}`
}

/** The directory that the name of a check begins with. */
export function directoryOfTest(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf(': ')))
}

/** Reads the payload of an envelope; undefined for one that is no statement about a hydrated commit. */
export function readStatement(payload: Buffer): HydrationStatement | undefined {
  const value = parsed(payload.toString())
  if (!isJsonObject(value) || textAt(value, '_type') !== statementType) return undefined
  const subjects = listAt(value, 'subject')
  const subject = subjects.find((each) => textAt(each, 'digest', 'gitCommit') !== '')
  if (subject === undefined) return undefined
  const definition = objectAt(value, 'predicate', 'buildDefinition')
  const predicateType = textAt(value, 'predicateType')
  if (predicateType === provenanceType && textAt(definition, 'buildType') !== hydrationBuildType) {
    return undefined
  }
  const builder = textAt(value, 'predicate', 'runDetails', 'builder', 'id')
  return {
    predicateType,
    commit: textAt(subject, 'digest', 'gitCommit'),
    directories: new Map(subjects.flatMap(directoryOf)),
    repository: textAt(definition, 'externalParameters', 'repository'),
    branch:
      predicateType === provenanceType
        ? textAt(definition, 'externalParameters', 'branch')
        : textAt(subject, 'name'),
    syncBranch: textAt(definition, 'externalParameters', 'syncBranch'),
    installation: builder.startsWith(builderPrefix) ? builder.slice(builderPrefix.length) : '',
    tools: new Map(listAt(definition, 'resolvedDependencies').flatMap(toolOf)),
    result: textAt(value, 'predicate', 'result'),
    passedTests: textsAt(value, 'passedTests'),
    warnedTests: textsAt(value, 'warnedTests'),
  }
}

function textsAt(value: unknown, key: string): string[] {
  return listAt(value, 'predicate', key).filter((test) => typeof test === 'string')
}

function directoryOf(subject: unknown): [string, Digests][] {
  const digests = objectAt(subject, 'digest')
  if (textAt(digests, 'gitTree') === '') return []
  const texts = Object.entries(digests).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return [[textAt(subject, 'name'), Object.fromEntries(texts)]]
}

function toolOf(dependency: unknown): [string, string][] {
  const version = textAt(dependency, 'annotations', 'version')
  const sha256 = textAt(dependency, 'digest', 'sha256')
  const isTool = textAt(dependency, 'uri').startsWith('pkg:generic/')
  return isTool && sha256 !== '' ? [[`${textAt(dependency, 'name')} ${version}`, sha256]] : []
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

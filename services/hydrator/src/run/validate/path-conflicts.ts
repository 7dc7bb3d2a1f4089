import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { parentDirectories } from '@wadi/hydration/files-directory.ts'
import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import { cleanDestinationPath, foldedPath } from '@wadi/resources/application/destination-path.ts'
import { drySourcesOf } from '@wadi/resources/application/dry-sources.ts'
import { type Layout, layoutOf } from '@wadi/resources/application/layout.ts'
import type { Member } from '../../applications/application-index.ts'

/** The message for each of some members of one branch that cannot have their places beside each other; layouts of projects are left out. */
export function overlaps(branch: string, members: readonly Member[]): Map<Member, string> {
  const paths = new Map<Member, string>()
  const layouts = new Map<Member, Layout>()
  for (const member of members) {
    try {
      paths.set(member, cleanDestinationPath(member.spec.syncSource.path))
      layouts.set(member, layoutOf(member.application.annotations, {}))
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error
    }
  }
  return new Map(pathConflicts(branch, paths, layouts))
}

/** The message for each member whose path another member claims too, or that has the root beside others. */
export function* pathConflicts(
  branch: string,
  paths: ReadonlyMap<Member, string>,
  layouts: ReadonlyMap<Member, Layout>,
): Generator<[Member, string]> {
  const claims = Map.groupBy(paths.keys(), (member) => paths.get(member) ?? '')
  const rootOwners = claims.get('') ?? []
  const others = [...paths.keys()].filter((member) => paths.get(member) !== '')
  for (const member of others.length > 0 ? rootOwners : []) {
    yield [
      member,
      `syncSource.path ${JSON.stringify(member.spec.syncSource.path)} is the root of branch ${branch}, which also ` +
        `holds ${nameSome(others)}; give each application a directory of its own`,
    ]
  }
  yield* foldedConflicts(branch, paths)
  for (const [path, sharing] of claims) {
    if (sharing.length < 2) continue
    for (const [what, identity] of [
      ['dry source', (member: Member) => canonicalJson(drySourcesOf(member.spec))],
      ['destination namespace', (member: Member) => member.application.destination.namespace ?? ''],
      ['layout', (member: Member) => canonicalJson(layouts.get(member))],
    ] as const) {
      if (Map.groupBy(sharing, identity).size < 2) continue
      for (const member of sharing) {
        const rivals = sharing.filter((other) => identity(other) !== identity(member))
        yield [
          member,
          `path ${path || '.'} of branch ${branch} is also claimed by ${nameSome(rivals)} with another ${what}; ` +
            'give each a path of its own',
        ]
      }
      break
    }
  }
}

/** The message for each member one of whose directories some file system takes for a neighbour's of another spelling. */
function* foldedConflicts(branch: string, paths: ReadonlyMap<Member, string>): Generator<[Member, string]> {
  const spellings = new Map<string, { spelling: string; owner: Member }>()
  for (const [member, path] of paths) {
    for (const directory of [...parentDirectories(path), path]) {
      const known = spellings.getOrInsert(foldedPath(directory), { spelling: directory, owner: member })
      if (known.spelling === directory) continue
      const both = [known.owner, member]
      for (const one of both) {
        const rival = nameSome(both.filter((other) => other !== one))
        yield [
          one,
          `directories ${JSON.stringify(known.spelling)} and ${JSON.stringify(directory)} of branch ${branch} are one ` +
            `where file systems ignore case or the form of accents; rename one, here or in ${rival}`,
        ]
      }
    }
  }
}

/** Names the first of some members. */
export function nameSome(members: readonly Member[]): string {
  return someInLine(
    members.map((member) => `application ${member.name}`),
    3,
  )
}

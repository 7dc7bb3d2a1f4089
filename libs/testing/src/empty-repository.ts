import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * Writes what `git init --initial-branch=main` writes, without a program: HEAD, configuration, and empty directories for objects, refs and hooks.
 * Git packs and collects nothing in it by itself, and serves parts of it, as forges do.
 *
 * @param directory the directory of a bare repository, or `.git`
 * @param options.objects directory of another repository's objects that this one reads and writes as its own
 */
export async function writeEmptyRepository(
  directory: string,
  options: { bare: boolean; objects?: string },
): Promise<void> {
  for (const part of ['hooks', 'info', 'refs/heads', 'refs/tags']) {
    await mkdir(path.join(directory, part), { recursive: true })
  }
  if (options.objects === undefined) {
    for (const part of ['info', 'pack'])
      await mkdir(path.join(directory, 'objects', part), { recursive: true })
  } else {
    await symlink(options.objects, path.join(directory, 'objects'))
  }
  await writeFile(path.join(directory, 'HEAD'), 'ref: refs/heads/main\n')
  await writeFile(path.join(directory, 'config'), configuration(options.bare))
}

function configuration(bare: boolean): string {
  return `[core]
	repositoryformatversion = 0
	filemode = true
	bare = ${bare}
	logallrefupdates = ${!bare}
[gc]
	auto = 0
[maintenance]
	auto = false
[receive]
	autogc = false
[user]
	name = Test
	email = test@example.com
[commit]
	gpgsign = false
[uploadpack]
	allowFilter = true
`
}

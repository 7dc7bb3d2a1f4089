import { mkdtempDisposable, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type FileTree } from '@wadi/file-trees/file-tree.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'

/** A file's text, `{ link }` for a symlink, `{ program }` for an executable file. */
type Content = string | Buffer | { readonly link: string } | { readonly program: string }

/** Files on disk that tests open as trees. */
export interface TestTree extends AsyncDisposable {
  readonly directory: string
  write(files: Readonly<Record<string, Content>>): Promise<void>
  remove(file: string): Promise<void>
  /** The files as they are now. */
  open(): FileTree
}

/** Writes files to a directory of their own. */
export async function writeTestTree(files: Readonly<Record<string, Content>>): Promise<TestTree> {
  const directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-plugin-files-'))
  const tree: TestTree = {
    directory: directory.path,
    write: async (more) => {
      for (const [name, content] of Object.entries(more)) {
        const file = path.join(directory.path, name)
        await mkdir(path.dirname(file), { recursive: true })
        if (typeof content === 'string' || Buffer.isBuffer(content)) await writeFile(file, content)
        else if ('link' in content) await symlink(content.link, file)
        else await writeFile(file, content.program, { mode: 0o755 })
      }
    },
    remove: (file) => rm(path.join(directory.path, file), { recursive: true }),
    open: () => openDirectoryTree(directory.path),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
  await tree.write(files)
  return tree
}

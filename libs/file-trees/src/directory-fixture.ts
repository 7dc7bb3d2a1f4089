import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A temporary directory with files, removed at the end of the test. */
export class DirectoryFixture implements AsyncDisposable {
  /** Holds `directory`; others may be made beside it. */
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'wadi-files-')))
  readonly directory = join(this.root, 'repository')

  constructor(files: Readonly<Record<string, string>>) {
    mkdirSync(this.directory)
    for (const [path, content] of Object.entries(files)) this.write(path, content)
  }

  write(path: string, content: string): void {
    mkdirSync(dirname(join(this.directory, path)), { recursive: true })
    writeFileSync(join(this.directory, path), content)
  }

  link(path: string, target: string): void {
    mkdirSync(dirname(join(this.directory, path)), { recursive: true })
    symlinkSync(target, join(this.directory, path))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    rmSync(this.root, { recursive: true, force: true })
    await Promise.resolve()
  }
}

import { after } from 'node:test'

let stack: AsyncDisposableStack | undefined

/** Returns what opens, and disposes it after the tests of the file whose loading waits for this; the newest first. */
export async function usedByFile<T extends AsyncDisposable>(opening: Promise<T>): Promise<T> {
  stack ??= stackOfFile()
  return stack.use(await opening)
}

function stackOfFile(): AsyncDisposableStack {
  const ofFile = new AsyncDisposableStack()
  after(async () => {
    stack = undefined
    await ofFile.disposeAsync()
  })
  return ofFile
}

/** The most memory that a Go program can have, in MiB. */
export const maxMemoryMiB = 512

const pagesPerMiB = 16
const headerBytes = 8
const memorySection = 5

/**
 * Returns a WebAssembly module whose memory cannot grow past the limit: Go's linker writes its memory with a minimum alone.
 * A program that asks for more ends with Go's own error.
 * @throws Error when the module has another memory than one of which a minimum alone is given.
 */
export function withBoundedMemory(wasm: Uint8Array): Uint8Array<ArrayBuffer> {
  let offset = headerBytes
  while (offset < wasm.length) {
    const size = readNumber(wasm, offset + 1)
    if (wasm[offset] !== memorySection) {
      offset = size.end + size.value
      continue
    }
    const minimum = readNumber(wasm, size.end + 2)
    const end = size.end + size.value
    if (wasm[size.end] !== 1 || wasm[size.end + 1] !== 0 || minimum.end !== end) break
    const limits = [1, 1, ...numberBytes(minimum.value), ...numberBytes(maxMemoryMiB * pagesPerMiB)]
    const section = Uint8Array.from([memorySection, ...numberBytes(limits.length), ...limits])
    const bounded = new Uint8Array(offset + section.length + wasm.length - end)
    bounded.set(wasm.subarray(0, offset))
    bounded.set(section, offset)
    bounded.set(wasm.subarray(end), offset + section.length)
    return bounded
  }
  throw new Error('the WebAssembly module has no memory that can be bounded')
}

/** Reads an unsigned LEB128 number of 32 bits at most. */
function readNumber(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0
  for (let index = 0; index < 5; index++) {
    const byte = bytes[start + index] ?? 0
    value += (byte % 128) * 128 ** index
    if (byte < 128) return { value, end: start + index + 1 }
  }
  throw new Error('the WebAssembly module has a number that is too long')
}

function numberBytes(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...numberBytes(Math.floor(value / 128))]
}

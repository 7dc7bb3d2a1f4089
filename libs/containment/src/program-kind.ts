import { closeSync, openSync, readSync } from 'node:fs'

const headerBytes = 64
const interpreterSegment = 3
const maxSegments = 128

/** True if a program needs no other file to run: an ELF file of 64 bits that names no dynamic linker. */
export function isStaticProgram(file: string): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const header = readBytes(descriptor, 0, headerBytes)
    const isElf = header.length === headerBytes && header.toString('latin1', 0, 4) === '\x7fELF'
    // 64 bits, little endian: what the machines that Node.js runs on have.
    if (!isElf || header[4] !== 2 || header[5] !== 1) return false
    const [offset, size, count] = [
      Number(header.readBigUInt64LE(32)),
      header.readUInt16LE(54),
      header.readUInt16LE(56),
    ]
    if (count === 0 || count > maxSegments || size < 4) return false
    const segments = readBytes(descriptor, offset, size * count)
    for (let at = 0; at + 4 <= segments.length; at += size) {
      if (segments.readUInt32LE(at) === interpreterSegment) return false
    }
    return segments.length === size * count
  } finally {
    closeSync(descriptor)
  }
}

function readBytes(descriptor: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length)
  return buffer.subarray(0, readSync(descriptor, buffer, 0, length, position))
}

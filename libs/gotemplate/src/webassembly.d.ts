/** The part of the WebAssembly global that go-program.ts uses; neither Node's types nor lib `esnext` declare it. */
declare namespace WebAssembly {
  type Imports = Record<string, Record<string, unknown>>

  interface Module {
    readonly [Symbol.toStringTag]: 'WebAssembly.Module'
  }

  class Instance {
    constructor(module: Module, imports: Imports)
    readonly exports: Record<string, unknown>
  }

  class Memory {
    constructor(descriptor: { initial: number })
    readonly buffer: ArrayBuffer
  }

  function compile(bytes: Uint8Array): Promise<Module>
}

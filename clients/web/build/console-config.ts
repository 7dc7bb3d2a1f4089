import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import type { InlineConfig, Plugin } from 'vite'
import { pages } from '../src/app/pages.ts'
import { compileMessages } from './messages/compile-messages.ts'

/** The directory of this workspace. */
export const consoleRoot = join(import.meta.dirname, '..')

/** The placeholder that the gateway replaces by the nonce of a response. */
const nonceMark = 'nonce-of-the-response'

/** Returns the configuration by which Vite builds the console into a directory: hashed names, compressed files, and the list of pages for the gateway. */
export function consoleConfig(outDir: string): InlineConfig {
  return {
    root: consoleRoot,
    configFile: false,
    logLevel: 'warn',
    html: { cspNonce: nonceMark },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      // Those that know light-dark(), which is rewritten for older ones in a way that Mantine's schemes do not reach.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      // An inlined file would need `data:` in the policy of the page.
      assetsInlineLimit: 0,
      // Descriptors of messages and Mantine's style sheet are large and compress well; the test of the build has the limit.
      chunkSizeWarningLimit: 1_500,
      rolldownOptions: {
        // On a slow machine the first start of a clone would print where the time went.
        checks: { bundlerTimings: false },
        // One file compresses a tenth better than the thirty that pages could share it by.
        output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
      },
    },
    plugins: [react(), compileMessages(), smallIcons(), listPages(), compress()],
  }
}

/** Leaves out the drawing of each icon for 24 pixels and more, which is half of its script. */
function smallIcons(): Plugin {
  return {
    name: 'small-icons',
    transform: {
      filter: { id: /\/octicons-react\/dist\/icons\// },
      handler: (code) => code.replace('["16", "24"]', '["16"]').replace(/,\n\t"24": \{[^]*?\n\t\}/, ''),
    },
  }
}

function listPages(): Plugin {
  return {
    name: 'list-pages',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'pages.txt', source: `${pages.join('\n')}\n` })
    },
  }
}

/** Writes a file in brotli and in gzip beside every file that they make smaller. */
function compress(): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        for (const [fileName, file] of Object.entries(bundle)) {
          if (!/\.(?:js|css|svg)$/.test(fileName)) continue
          const source = Buffer.from(file.type === 'chunk' ? file.code : file.source)
          for (const [ending, packed] of await packedForms(source)) {
            if (packed.length < source.length)
              this.emitFile({ type: 'asset', fileName: `${fileName}${ending}`, source: packed })
          }
        }
      },
    },
  }
}

async function packedForms(source: Buffer): Promise<[string, Buffer][]> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10 }
  return [
    ['.br', await promisify(brotliCompress)(source, { params })],
    ['.gz', await promisify(gzip)(source, { level: 9 })],
  ]
}

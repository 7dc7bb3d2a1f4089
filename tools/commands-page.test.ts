import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command, Option } from 'commander'
import { commandsPage } from './commands-page.ts'

test('a command has its usage, arguments, flags and examples, and no command that the help hides', () => {
  const program = new Command('wadi').configureHelp({ showGlobalOptions: false })
  const group = program.command('app').description('Manage <things>.')
  group
    .command('get')
    .alias('show')
    .description('Show one | all.')
    .argument('<name>', 'its name')
    .addOption(new Option('-o, --output <form>', 'form').choices(['json', 'wide']).default('wide'))
    .requiredOption('--project <name>', 'its project')
    .addHelpText(
      'after',
      '\nExamples:\n  wadi app get shop\n  wadi app get shop -o json\n\n  wadi app get blog',
    )
    .addHelpText('after', '\nIt has <no> secrets.')
  program.command('complete', { hidden: true }).description('For scripts.')

  const page = commandsPage(program)
  const [, chapters] = page.split('\n## wadi app\n')
  assert.equal(
    chapters,
    `
Manage \\<things>.

| Command | What it does |
| --- | --- |
| [\`wadi app get\`](#wadi-app-get) | Show one \\| all. |

### wadi app get

Show one | all. Also: \`show\`.

\`\`\`
wadi app get [options] <name>
\`\`\`

| Argument, flag | Meaning |
| --- | --- |
| \`name\` | its name |
| \`-o, --output <form>\` | form (choices: "json", "wide", default: "wide") |
| \`--project <name>\` | its project (required) |

\`\`\`sh
wadi app get shop
wadi app get shop -o json

wadi app get blog
\`\`\`

It has \\<no> secrets.
`,
  )
  assert.doesNotMatch(page, /complete/)
})

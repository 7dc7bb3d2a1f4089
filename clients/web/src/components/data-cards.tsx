import { Box, Paper, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface SettingsCardsProps<Row> {
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** What is shown of a row, by label; an empty text is left out. */
  columns: Readonly<Record<string, (row: Row) => ReactNode>>
}

/** Settings as one card for each row, where there is no room for a table. */
export function SettingsCards<Row>({ rows, keyOf, columns }: SettingsCardsProps<Row>) {
  return (
    <Stack gap="sm">
      {rows.map((row) => (
        <Paper key={keyOf(row)} withBorder p="sm">
          <Stack component="dl" gap={6} m={0}>
            {Object.entries(columns).map(([label, cell]) => (
              <Entry key={label} label={label} value={cell(row)} />
            ))}
          </Stack>
        </Paper>
      ))}
    </Stack>
  )
}

function Entry({ label, value }: { label: string; value: ReactNode }) {
  if (value === '') return null
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {label}
      </Text>
      <Box component="dd" m={0} fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {value}
      </Box>
    </div>
  )
}

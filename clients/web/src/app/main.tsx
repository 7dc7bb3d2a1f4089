import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './page.css'
import './print.css'
import { setNonce } from 'get-nonce'
import { createRoot } from 'react-dom/client'
import { styleNonce } from '../components/style-nonce.ts'
import { language } from '../language/catalogue.ts'
import { Providers } from './providers.tsx'

// The dialogs of Mantine lock the page behind them with a style sheet of their own.
setNonce(styleNonce())
document.documentElement.lang = language
const container = document.querySelector('#console')
if (container) createRoot(container).render(<Providers />)

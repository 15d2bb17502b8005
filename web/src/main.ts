import { mount } from 'svelte'
import App from './App.svelte'
import './app.css'
import { applyTheme } from './lib/settings.svelte'

applyTheme()
const target = document.getElementById('app')
if (!target) throw new Error('the page has no place for the program')
target.replaceChildren()
mount(App, { target })

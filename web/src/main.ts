// Mounts the page.

import { mount } from 'svelte'
import App from './App.svelte'
import { settings } from './state/settings.svelte'
import './style.css'

settings.apply()
mount(App, { target: document.getElementById('app')! })

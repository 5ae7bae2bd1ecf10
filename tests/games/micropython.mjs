// Runs a Python program in MicroPython (WebAssembly), as the browser does.
// Standard input: JSON {files: {name: text}, program: text}. Files are importable by the program.
// Standard output: what the program prints.
import { readFileSync } from "node:fs";
import { loadMicroPython } from "../../web/node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs";

const { files, program } = JSON.parse(readFileSync(0, "utf8"));
const python = await loadMicroPython({ heapsize: 16 * 1024 * 1024, stdout: (line) => console.log(line), linebuffer: true });
for (const [name, text] of Object.entries(files)) {
  python.FS.writeFile(`/${name}`, text);
}
python.runPython(program);

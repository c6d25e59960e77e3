import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import * as z from 'zod';

const probed = z.object({
  streams: z.array(
    z.object({
      codec_name: z.string(),
      width: z.int(),
      height: z.int(),
      nb_read_frames: z.string().transform(Number),
      duration: z.string().transform(Number).optional(),
      avg_frame_rate: z.string(),
    }),
  ),
  format: z.object({ format_name: z.string(), size: z.string().transform(Number).optional() }),
});

/** What ffprobe finds in a file after it has decoded every frame; `errors` is everything it complains about. */
export async function probe(bytes: Uint8Array): Promise<z.infer<typeof probed> & { errors: string }> {
  const { stdout, stderr } = await run(
    'ffprobe',
    ['-v', 'warning', '-count_frames', '-show_streams', '-show_format', '-of', 'json', '-'],
    bytes,
  );
  return { ...probed.parse(JSON.parse(stdout)), errors: stderr };
}

/** Decodes a file as a player does; the text of its errors, empty where there are none. */
export async function decodeErrors(bytes: Uint8Array): Promise<string> {
  const { stderr } = await run('ffmpeg', ['-v', 'error', '-xerror', '-i', '-', '-f', 'null', '-'], bytes);
  return stderr;
}

function run(
  program: string,
  args: readonly string[],
  input: Uint8Array,
): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', (error) =>
      reject(new Error(`${program} does not run (Debian: apt-get install ffmpeg): ${error.message}`)),
    );
    child.on('close', (code) => {
      const stderr = Buffer.concat(err).toString();
      // A program that refuses the file says why and prints no JSON.
      if (code !== 0 && program === 'ffprobe') reject(new Error(`ffprobe exits ${code}: ${stderr}`));
      else resolve({ stdout: Buffer.concat(out).toString(), stderr });
    });
    // It may close its input before all is read.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

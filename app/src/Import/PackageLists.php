<?php

declare(strict_types=1);

namespace App\Import;

use RuntimeException;
use Symfony\Component\Process\Process;

/**
 * Apt's own lists in a directory of the site's: machines may have switched translations off, or compress their lists.
 *
 * Only the machine's Debian sources are asked; apt's settings for them (mirror, proxy, keys) are used as they are.
 */
final readonly class PackageLists
{
    public function __construct(private string $directory) {}

    public function arePresent(): bool
    {
        return $this->files('_Packages') !== [] && $this->files('_Translation-en') !== [];
    }

    /** @throws RuntimeException with apt's own words */
    public function fetch(): void
    {
        foreach (['', '/lists/partial', '/cache/archives/partial', '/sources'] as $part) {
            if (!is_dir($this->directory . $part)) {
                mkdir($this->directory . $part, recursive: true);
            }
        }
        $this->copySources();
        $apt = new Process([
            'apt-get', 'update', '--quiet',
            '-o', 'Dir::State::lists=' . $this->directory . '/lists',
            '-o', 'Dir::Cache=' . $this->directory . '/cache',
            '-o', 'Dir::Etc::sourcelist=' . $this->directory . '/sources.list',
            '-o', 'Dir::Etc::sourceparts=' . $this->directory . '/sources',
            '-o', 'Acquire::Languages=en',
            '-o', 'Acquire::GzipIndexes=false',
            '-o', 'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false',
            '-o', 'APT::Sandbox::User=',
        ], timeout: 300);
        $apt->run();
        if (!$apt->isSuccessful() || !$this->arePresent()) {
            throw new RuntimeException("apt could not fetch its package lists:\n" . trim($apt->getErrorOutput() . $apt->getOutput()));
        }
    }

    /** @return list<string> */
    public function files(string $suffix): array
    {
        $found = glob($this->directory . '/lists/*' . $suffix);
        $found = $found === false ? [] : $found;
        // The largest first: the release itself before its updates.
        usort($found, static fn(string $a, string $b): int => filesize($b) <=> filesize($a));

        return $found;
    }

    /** Other projects' sources may be slow, or hold no translations. */
    private function copySources(): void
    {
        $list = is_file('/etc/apt/sources.list') ? (array) file('/etc/apt/sources.list') : [];
        file_put_contents($this->directory . '/sources.list', implode('', $list));
        foreach ((array) glob('/etc/apt/sources.list.d/*') as $file) {
            $text = (string) file_get_contents((string) $file);
            if (preg_match('~\b(?:debian-archive-keyring|bookworm|trixie)\b~', $text) === 1 && preg_match('~\.(?:list|sources)$~', (string) $file) === 1) {
                copy((string) $file, $this->directory . '/sources/' . basename((string) $file));
            }
        }
    }
}

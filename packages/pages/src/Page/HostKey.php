<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * A key that the processes of this host have alone, in the site's page directory. It is made when it is first wanted.
 *
 * @internal
 */
final readonly class HostKey
{
    private const BYTES = 32;

    private string $path;

    /** @param string $directory of the pages; only its owner can read the key there */
    public function __construct(string $directory)
    {
        $this->path = $directory . '/host-key';
    }

    /** @return string|null null: there can be no key */
    public function code(string $purpose, string $text): ?string
    {
        $key = $this->key();

        return $key === null ? null : hash_hmac('sha256', "larder $purpose\0$text", $key);
    }

    private function key(): ?string
    {
        if (!is_file($this->path)) {
            $fresh = $this->path . '.' . bin2hex(random_bytes(8));
            $file = @fopen($fresh, 'xe');
            if ($file !== false) {
                // Before it has a key, so that nobody else reads one.
                chmod($fresh, 0o600);
                fwrite($file, random_bytes(self::BYTES));
                fclose($file);
                // Not rename(2): of two processes that make one, the first's stays.
                @link($fresh, $this->path);
                unlink($fresh);
            }
        }
        $key = (string) @file_get_contents($this->path);

        return \strlen($key) === self::BYTES ? $key : null;
    }
}

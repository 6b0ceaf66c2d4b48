<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use Larder\Console\Refused;

/**
 * bin/report.php, where another process can run it: php-fpm runs nothing out of larder.phar, so that is copied.
 *
 * @internal
 */
final readonly class ReportScript
{
    /** The script and what it needs, below the package. */
    private const FILES = ['bin/report.php', 'src/Console/Doctor/ProcessReport.php'];

    /** @param string|null $copy directory to be removed; null: nothing was copied */
    private function __construct(public string $path, private ?string $copy = null) {}

    /** @throws Refused if the copy cannot be written */
    public static function ready(): self
    {
        $package = \dirname(__DIR__, 3);

        return str_starts_with($package, 'phar://')
            ? self::copied($package)
            : new self($package . '/' . self::FILES[0]);
    }

    public function remove(): void
    {
        if ($this->copy === null) {
            return;
        }
        foreach (self::FILES as $file) {
            @unlink("$this->copy/$file");
            for ($directory = \dirname($file); $directory !== '.'; $directory = \dirname($directory)) {
                @rmdir("$this->copy/$directory");
            }
        }
        @rmdir($this->copy);
    }

    private static function copied(string $library): self
    {
        $copy = sys_get_temp_dir() . '/larder-report-' . bin2hex(random_bytes(8));
        $script = new self($copy . '/' . self::FILES[0], $copy);
        foreach (self::FILES as $file) {
            $directory = \dirname("$copy/$file");
            if (!@mkdir($directory, 0o755, true) || !@copy("$library/$file", "$copy/$file")) {
                $script->remove();

                throw Refused::because("\"$copy/$file\" cannot be written: let TMPDIR name a directory where it can");
            }
        }
        // Whatever the umask is: php-fpm's user is another one.
        foreach (['bin', 'src/Console/Doctor', 'src/Console', 'src', '.'] as $directory) {
            chmod("$copy/$directory", 0o755);
        }
        foreach (self::FILES as $file) {
            chmod("$copy/$file", 0o644);
        }

        return $script;
    }
}

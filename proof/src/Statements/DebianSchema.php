<?php

declare(strict_types=1);

namespace Larder\Proof\Statements;

use Larder\Testbed\TemporaryDirectory;
use PDO;
use RuntimeException;
use Symfony\Component\Process\Process;

/**
 * Makes the tables of an application in a database, by what its Debian package says of them.
 *
 * The package is fetched and unpacked, not installed. Its files go with their directory.
 */
final readonly class DebianSchema
{
    private const SECONDS = 300.0;

    /** The package's file asks a database object for the names of its tables, and how they compare. */
    private const WORDPRESS = <<<'PHP'
        $wpdb = new class {
            public $blogid = 1;
            public function __get($name) { return 'wp_' . $name; }
            public function get_charset_collate() {
                return 'DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci';
            }
        };
        function is_multisite() { return false; }
        require $argv[1];
        echo wp_get_db_schema('all');
        PHP;

    /** What the installer puts in place of the placeholders. */
    private const MEDIAWIKI = ['/*_*/' => '', '/*$wgDBTableOptions*/' => 'ENGINE=InnoDB DEFAULT CHARSET=binary'];

    /**
     * @param string $application `wordpress` or `mediawiki`
     *
     * @return string the version of the package
     */
    public static function load(string $application, PDO $database): string
    {
        $directory = new TemporaryDirectory('larder-statements');
        self::run(['apt-get', 'download', '-q', $application], $directory->path);
        $package = glob($directory->path . '/' . $application . '_*.deb')[0] ?? '';
        $files = $application === 'wordpress'
            ? ['usr/share/wordpress/wp-admin/includes/schema.php']
            : ['usr/share/mediawiki/maintenance/tables-generated.sql', 'usr/share/mediawiki/maintenance/tables.sql'];
        $tar = $directory->path . '/files.tar';
        self::run(['sh', '-c', 'dpkg --fsys-tarfile "$1" >"$2"', 'sh', $package, $tar], $directory->path);
        self::run(
            ['tar', '-xf', $tar, ...array_map(static fn(string $file): string => './' . $file, $files)],
            $directory->path,
        );
        $sql = '';
        foreach ($files as $file) {
            $path = $directory->path . '/' . $file;
            $sql .= $application === 'wordpress'
                ? self::run([PHP_BINARY, '-r', self::WORDPRESS, '--', $path], $directory->path)
                : strtr((string) file_get_contents($path), self::MEDIAWIKI);
        }
        $sql = (string) preg_replace('/^\s*--.*$/m', '', $sql);
        foreach (array_map(trim(...), explode(';', $sql)) as $statement) {
            if ($statement !== '') {
                $database->exec($statement);
            }
        }
        $version = trim(self::run(['dpkg-deb', '--field', $package, 'Version'], $directory->path));
        $directory->remove();

        return $version;
    }

    /** @param list<string> $command */
    private static function run(array $command, string $directory): string
    {
        $process = new Process($command, $directory, timeout: self::SECONDS);
        if ($process->run() !== 0) {
            throw new RuntimeException(\sprintf(
                "%s failed:\n%s",
                $process->getCommandLine(),
                $process->getErrorOutput(),
            ));
        }

        return $process->getOutput();
    }
}

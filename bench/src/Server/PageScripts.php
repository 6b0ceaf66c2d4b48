<?php

declare(strict_types=1);

namespace Larder\Bench\Server;

use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * PHP files that send the bytes of a page and do nothing else, to compare an application with.
 */
final readonly class PageScripts
{
    /** A script includes one of these numbers of files. */
    public const INCLUDES = [1, 10, 100];

    private const SYLLABLES = [
        'al', 'ber', 'cor', 'do', 'en', 'fi', 'gan', 'ho', 'in', 'ker', 'la', 'mo', 'ner', 'or', 'pa', 'qui', 'ra',
        'sti', 'tu', 'ver',
    ];

    public function __construct(private string $directory) {}

    /** Writes a script that echoes the body as a literal. */
    public function echo(string $name, string $body): void
    {
        $this->write($name, "header('Content-Type: text/html; charset=utf-8');\necho " . self::literal($body) . ';');
    }

    /**
     * Writes a script that includes the body in equal pieces from that many files. Without one of them bytes are
     * missing.
     */
    public function including(string $name, string $body, int $files): void
    {
        for ($number = 0; $number < $files; ++$number) {
            $begin = intdiv(\strlen($body) * $number, $files);
            $end = intdiv(\strlen($body) * ($number + 1), $files);
            $this->write(
                "{$name}/part-{$number}",
                'return ' . self::literal(substr($body, $begin, $end - $begin)) . ';',
            );
        }
        $this->write(
            $name,
            "header('Content-Type: text/html; charset=utf-8');\nfor (\$number = 0; \$number < {$files}; ++\$number) "
                . "{\n    echo require __DIR__ . \"/{$name}/part-{\$number}.php\";\n}",
        );
    }

    /**
     * Words in paragraphs, the same each time, of characters that HTML does not escape.
     *
     * @param int $bytes at least 1
     */
    public static function text(int $bytes): string
    {
        $random = new Randomizer(new Xoshiro256StarStar(1));
        $text = '';
        while (\strlen($text) < $bytes) {
            for ($syllables = $random->getInt(1, 4); $syllables > 0; --$syllables) {
                $text .= self::SYLLABLES[$random->getInt(0, \count(self::SYLLABLES) - 1)];
            }
            $text .= $random->getInt(0, 60) === 0 ? ".\n\n" : ' ';
        }
        $text = rtrim(substr($text, 0, $bytes));

        // The site trims blanks at the ends, and the page would be too short.
        return $text . str_repeat('.', $bytes - \strlen($text));
    }

    /**
     * What a location passes to php-fpm: only what a script needs to answer a GET.
     *
     * @param array<string, string> $more
     */
    public static function php(string $socket, string $script, array $more = []): string
    {
        $lines = ["fastcgi_pass unix:{$socket};"];
        $parameters = [
            'SCRIPT_FILENAME' => $script,
            'SCRIPT_NAME' => '/' . basename($script),
            'QUERY_STRING' => '$args',
            'REQUEST_METHOD' => '$request_method',
            'CONTENT_TYPE' => '$content_type',
            'CONTENT_LENGTH' => '$content_length',
            'SERVER_PROTOCOL' => '$server_protocol',
            'SERVER_NAME' => '127.0.0.1',
            'REMOTE_ADDR' => '$remote_addr',
            'HTTP_PROXY' => '',
        ];
        foreach ($more + $parameters as $name => $value) {
            $lines[] = "fastcgi_param {$name} \"{$value}\";";
        }

        return implode("\n", [...$lines, 'fastcgi_buffer_size 16k;', 'fastcgi_buffers 32 16k;']);
    }

    private function write(string $name, string $code): void
    {
        $file = "{$this->directory}/{$name}.php";
        if (!is_dir(\dirname($file))) {
            mkdir(\dirname($file), recursive: true);
        }
        file_put_contents($file, "<?php\n\n{$code}\n");
        // Opcache does not keep files that were written within the last two seconds.
        touch($file, time() - 60);
    }

    private static function literal(string $text): string
    {
        return "'" . addcslashes($text, "'\\") . "'";
    }
}

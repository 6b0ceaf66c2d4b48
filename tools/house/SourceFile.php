<?php

declare(strict_types=1);

namespace Larder\Tools\House;

use PhpParser\Node;
use PhpParser\Token;

/** One PHP file of a package, read and parsed. */
final readonly class SourceFile
{
    /**
     * @param string      $path   below the root
     * @param string      $room   such as `sql/Tracker`: the package, and the first directory below its src
     * @param list<Node>  $nodes
     * @param list<Token> $tokens
     */
    public function __construct(
        public string $path,
        public string $room,
        public string $text,
        public array $nodes,
        public array $tokens,
    ) {}

    public function lines(): int
    {
        return substr_count($this->text, "\n");
    }
}

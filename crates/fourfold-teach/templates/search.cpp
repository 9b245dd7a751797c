// Minimax and alpha-beta for `fourfold check`: one question a line in, one answer a line out.
//
// Everything but the two searches is here. Write them below; a search that is not written yet is
// answered with "unsupported". C++17: g++ -std=c++17 -O2 search.cpp

#include <algorithm>
#include <cctype>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

const int INFINITE = 1000000000;
std::vector<int> leaves;  // add the value of every leaf that you visit, in order

// What is searched. MAX and MIN take turns; a state never changes.
struct State {
    virtual ~State() = default;
    virtual bool max_to_move() const = 0;
    virtual bool is_over() const = 0;
    virtual int value() const = 0;     // MAX's value; only if it is over
    virtual int evaluate() const = 0;  // MAX's value at the horizon
    virtual std::vector<int> moves() const = 0;
    virtual std::unique_ptr<State> play(int move) const = 0;
};

// A search's answer: MAX's value and the best move, the first of equal ones.
struct Result {
    int value;
    int move;
};

// Begin of your searches.

std::optional<Result> minimax(const State& state, int depth) { return std::nullopt; }

std::optional<Result> alphabeta(const State& state, int depth, int alpha, int beta) { return std::nullopt; }

// End of your searches.

// A value of JSON: a map, a list, a text, or a number (true is 1).
struct Json {
    std::map<std::string, Json> fields;
    std::vector<Json> items;
    std::string text;
    int number = 0;
    bool is_list = false;
};

struct Reader {
    const std::string& text;
    size_t at = 0;

    char next() {
        while (std::isspace(text[at]) || text[at] == ',' || text[at] == ':') at++;
        return text[at];
    }
    std::string quoted() {
        size_t end = text.find('"', at + 1);
        std::string inside = text.substr(at + 1, end - at - 1);
        at = end + 1;
        return inside;
    }
    Json read() {
        Json json;
        char first = next();
        if (first == '{') {
            for (at++; next() != '}';) {
                std::string key = quoted();
                json.fields[key] = read();
            }
            at++;
        } else if (first == '[') {
            json.is_list = true;
            for (at++; next() != ']';) json.items.push_back(read());
            at++;
        } else if (first == '"') {
            json.text = quoted();
        } else {
            size_t start = at;
            while (at < text.size() && std::string(",]} ").find(text[at]) == std::string::npos) at++;
            std::string word = text.substr(start, at - start);
            json.number = word == "true" ? 1 : word == "false" ? 0 : std::stoi(word);
        }
        return json;
    }
};

// A tree of numbers.
struct Tree : State {
    const Json& node;
    bool max;
    Tree(const Json& node, bool max) : node(node), max(max) {}
    bool max_to_move() const override { return max; }
    bool is_over() const override { return !node.is_list; }
    int value() const override { return node.number; }
    int evaluate() const override { return node.number; }
    std::vector<int> moves() const override {
        std::vector<int> moves;
        for (size_t child = 0; child < node.items.size(); child++) moves.push_back(child);
        return moves;
    }
    std::unique_ptr<State> play(int move) const override { return std::make_unique<Tree>(node.items[move], !max); }
};

struct Game {
    int width, height, line;
    bool gravity;
    std::vector<int> weights;
};

// A position: cells row by row from the top. MAX, the side to move at the root, has `me`.
struct Position : State {
    const Game& game;
    std::string cells;
    char mover, me;
    Position(const Game& game, std::string cells, char mover, char me) : game(game), cells(cells), mover(mover), me(me) {}
    bool has(int row, int column, char letter) const {
        return row < game.height && column >= 0 && column < game.width && cells[row * game.width + column] == letter;
    }
    bool has_line(char letter) const {
        const int directions[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
        for (int row = 0; row < game.height; row++)
            for (int column = 0; column < game.width; column++)
                for (auto& to : directions) {
                    int step = 0;
                    while (step < game.line && has(row + to[0] * step, column + to[1] * step, letter)) step++;
                    if (step == game.line) return true;
                }
        return false;
    }
    int empty() const {
        int count = 0;
        for (char cell : cells) count += cell == '.';
        return count;
    }
    bool max_to_move() const override { return mover == me; }
    bool is_over() const override { return has_line('x') || has_line('o') || empty() == 0; }
    int value() const override {
        int size = 1000 - (int(cells.size()) - empty());
        for (char letter : {'x', 'o'})
            if (has_line(letter)) return letter == me ? size : -size;
        return 0;
    }
    int evaluate() const override {
        int sum = 0;
        for (size_t cell = 0; cell < cells.size(); cell++)
            if (cells[cell] != '.') sum += cells[cell] == me ? game.weights[cell] : -game.weights[cell];
        return sum;
    }
    std::vector<int> moves() const override {
        std::vector<int> moves;
        int options = game.gravity ? game.width : int(cells.size());
        for (int option = 0; option < options; option++)
            if (cells[option] == '.') moves.push_back(option);
        return moves;
    }
    std::unique_ptr<State> play(int move) const override {
        size_t cell = move;
        if (game.gravity)
            while (cell + game.width < cells.size() && cells[cell + game.width] == '.') cell += game.width;
        std::string after = cells;
        after[cell] = mover;
        return std::make_unique<Position>(game, after, mover == 'x' ? 'o' : 'x', me);
    }
};

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        Json question = Reader{line}.read();
        bool pruning = question.fields["algorithm"].text == "alphabeta";
        std::unique_ptr<State> state;
        Game game;
        int depth = INFINITE;
        if (question.fields.count("tree")) {
            state = std::make_unique<Tree>(question.fields["tree"], question.fields["root"].text == "max");
        } else {
            auto& rules = question.fields["game"].fields;
            game = {rules["width"].number, rules["height"].number, rules["line"].number, rules["gravity"].number == 1, {}};
            std::string cells;
            for (auto& row : question.fields["board"].items) cells += row.text;
            for (auto& row : question.fields["weights"].items)
                for (auto& weight : row.items) game.weights.push_back(weight.number);
            char mover = question.fields["to_move"].text[0];
            depth = question.fields["depth"].number;
            state = std::make_unique<Position>(game, cells, mover, mover);
        }
        leaves.clear();
        auto found = pruning ? alphabeta(*state, depth, -INFINITE, INFINITE) : minimax(*state, depth);
        std::cout << "{\"id\":" << question.fields["id"].number;
        if (found) {
            std::cout << ",\"value\":" << found->value << ",\"move\":" << found->move << ",\"leaves\":[";
            for (size_t leaf = 0; leaf < leaves.size(); leaf++) std::cout << (leaf ? "," : "") << leaves[leaf];
            std::cout << "]}" << std::endl;
        } else {
            std::cout << ",\"unsupported\":true}" << std::endl;
        }
    }
}
